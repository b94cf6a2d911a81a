import { isDataUri, mimeTypeOf, requireDataUri, toBase64 } from '../input/bytes.ts';
import { Content } from './content.ts';
import { ContentPart } from './content-part.ts';
import { Message } from './message.ts';
import { Messages } from './messages.ts';

/** The fields of an audio source. */
export interface AudioSourceFields {
  /** `wav`, `mp3` … */
  readonly format: string;
  /** The bytes as bare base64, without a `data:` prefix. */
  readonly data: string;
}

/** Audio as data, to be put into a message. Fields that are `''` are not sent. */
export class AudioSource {
  readonly format: string;
  /** The bytes as bare base64. */
  readonly data: string;

  private constructor(format: string, data: string) {
    this.format = format;
    this.data = data;
    Object.freeze(this);
  }

  /** Audio with these fields; a `data:` prefix is taken off. */
  static of({ format, data }: AudioSourceFields): AudioSource {
    return new AudioSource(format, isDataUri(data) ? data.slice(data.indexOf(',') + 1) : data);
  }

  /**
   * Audio from a `data:` URI; its MIME type names the format.
   *
   * @throws InvalidInputError when it is none
   */
  static fromDataUri(dataUri: string, format?: string): AudioSource {
    const mimeType = mimeTypeOf(requireDataUri(dataUri, 'audio/wav', 'dataUri'));
    return AudioSource.of({ format: format ?? audioFormat(mimeType), data: dataUri });
  }

  /** Audio from its bytes. */
  static fromBytes(bytes: Uint8Array, format: string): AudioSource {
    return new AudioSource(format, toBase64(bytes));
  }

  /** The audio as a content part. */
  toContentPart(): ContentPart {
    const filled = Object.entries({ format: this.format, data: this.data }).filter(([, value]) => value !== '');
    return ContentPart.of('input_audio', filled.length === 0 ? {} : { input_audio: Object.fromEntries(filled) });
  }

  /** The audio as content of one part. */
  toContent(): Content {
    return Content.of(this.toContentPart());
  }

  /** A user message of just this audio. */
  toMessage(): Message {
    return Message.of({ content: this.toContent() });
  }

  /** A list of one user message with just this audio. */
  toMessages(): Messages {
    return Messages.of(this.toMessage());
  }
}

/** `audio/mpeg` → `mp3`, `audio/x-wav` → `wav`. */
export function audioFormat(mimeType: string): string {
  const subtype = mimeType.replace(/^audio\/(x-)?/, '');
  return subtype === 'mpeg' ? 'mp3' : subtype;
}

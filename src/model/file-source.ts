import { mimeTypeOf, requireDataUri, toDataUri } from '../input/bytes.ts';
import { Content } from './content.ts';
import { ContentPart } from './content-part.ts';
import { Message } from './message.ts';
import { Messages } from './messages.ts';

const UNKNOWN_TYPE = 'application/octet-stream';

/** The fields of a file source: data, the id of an uploaded file, or a URL. */
export interface FileSourceFields {
  /** The file as a `data:` URI. */
  readonly fileData?: string | undefined;
  readonly fileName?: string | undefined;
  /** The id that a provider gave an uploaded file. */
  readonly fileId?: string | undefined;
  readonly fileUrl?: string | undefined;
  /** Default: what the data URI says, else `application/octet-stream`. */
  readonly mimeType?: string | undefined;
}

/** What can be said of a file beside where it is. */
export type FileOptions = Pick<FileSourceFields, 'fileName' | 'mimeType'>;

/** A file as data, by a provider's id or by its URL, to be put into a message. Fields that are `''` are not sent. */
export class FileSource {
  readonly fileData: string;
  readonly fileName: string;
  readonly fileId: string;
  readonly fileUrl: string;
  readonly mimeType: string;

  private constructor({ fileData = '', fileName = '', fileId = '', fileUrl = '', mimeType }: FileSourceFields) {
    this.fileData = fileData;
    this.fileName = fileName;
    this.fileId = fileId;
    this.fileUrl = fileUrl;
    this.mimeType = mimeType ?? (mimeTypeOf(fileData) || UNKNOWN_TYPE);
    Object.freeze(this);
  }

  /**
   * A file with these fields.
   *
   * @throws InvalidInputError when `fileData` is no data URI
   */
  static of(fields: FileSourceFields): FileSource {
    if (fields.fileData) requireDataUri(fields.fileData, fields.mimeType ?? UNKNOWN_TYPE, 'fileData');
    return new FileSource(fields);
  }

  /**
   * A file from a `data:` URI.
   *
   * @throws InvalidInputError when it is none
   */
  static fromDataUri(dataUri: string, options: FileOptions = {}): FileSource {
    return new FileSource({
      ...options,
      fileData: requireDataUri(dataUri, options.mimeType ?? UNKNOWN_TYPE, 'dataUri'),
    });
  }

  /** A file from its bytes. */
  static fromBytes(bytes: Uint8Array, mimeType: string, options: Pick<FileOptions, 'fileName'> = {}): FileSource {
    return new FileSource({ ...options, fileData: toDataUri(bytes, mimeType), mimeType });
  }

  /** A file that was uploaded to a provider. */
  static fromId(fileId: string, options: FileOptions = {}): FileSource {
    return new FileSource({ ...options, fileId });
  }

  /** A file by its address; not every provider fetches files. */
  static fromUrl(fileUrl: string, options: FileOptions = {}): FileSource {
    return new FileSource({ ...options, fileUrl });
  }

  /** The file as a content part. */
  toContentPart(): ContentPart {
    const payload = {
      file_data: this.fileData,
      file_name: this.fileName,
      file_id: this.fileId,
      file_url: this.fileUrl,
    };
    const filled = Object.entries(payload).filter(([, value]) => value !== '');
    return ContentPart.of('file', filled.length === 0 ? {} : { file: Object.fromEntries(filled) });
  }

  /** The file as content of one part. */
  toContent(): Content {
    return Content.of(this.toContentPart());
  }

  /** A user message of just this file. */
  toMessage(): Message {
    return Message.of({ content: this.toContent() });
  }

  /** A list of one user message with just this file. */
  toMessages(): Messages {
    return Messages.of(this.toMessage());
  }
}

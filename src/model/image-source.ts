import { reject } from '../errors.ts';
import { isDataUri, mimeTypeOf, requireDataUri, toDataUri } from '../input/bytes.ts';
import { Content } from './content.ts';
import { ContentPart } from './content-part.ts';
import { Message } from './message.ts';
import { Messages } from './messages.ts';

/** How closely a model looks at an image. */
export type ImageDetail = 'auto' | 'low' | 'high' | 'original';

/** The fields of an image source: a URL or a data URI. */
export interface ImageSourceFields {
  readonly url?: string | undefined;
  readonly dataUri?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly detail?: ImageDetail | undefined;
}

/** What can be said of an image beside where it is. */
export type ImageOptions = Pick<ImageSourceFields, 'mimeType' | 'detail'>;

/** An image by its URL or as data, to be put into a message. */
export class ImageSource {
  /** The address; `''` where the image is data. */
  readonly url: string;
  /** The image as a `data:` URI; `''` where it has an address. */
  readonly dataUri: string;
  readonly mimeType: string;
  readonly detail: ImageDetail | undefined;

  private constructor(url: string, dataUri: string, { mimeType, detail }: ImageOptions) {
    this.url = url;
    this.dataUri = dataUri;
    this.mimeType = mimeType ?? mimeTypeOf(dataUri);
    this.detail = detail;
    Object.freeze(this);
  }

  /** An image with these fields. */
  static of({ url = '', dataUri = '', ...options }: ImageSourceFields): ImageSource {
    return new ImageSource(
      url,
      dataUri === '' ? '' : requireDataUri(dataUri, options.mimeType ?? 'image/png', 'dataUri'),
      options,
    );
  }

  /**
   * An image by its address; a `data:` URI is taken as data.
   *
   * @throws InvalidInputError when it is neither an `http(s):` nor a `data:` address
   */
  static fromUrl(url: string, options: ImageOptions = {}): ImageSource {
    if (isDataUri(url)) return ImageSource.fromDataUri(url, options);
    if (typeof url !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(url)) reject('url', 'a URL with a scheme', url);
    return new ImageSource(url, '', options);
  }

  /**
   * An image from a `data:` URI.
   *
   * @throws InvalidInputError when it is none
   */
  static fromDataUri(dataUri: string, options: ImageOptions = {}): ImageSource {
    return new ImageSource('', requireDataUri(dataUri, options.mimeType ?? 'image/png', 'dataUri'), options);
  }

  /** An image from its bytes. */
  static fromBytes(bytes: Uint8Array, mimeType: string, options: Pick<ImageOptions, 'detail'> = {}): ImageSource {
    return new ImageSource('', toDataUri(bytes, mimeType), { ...options, mimeType });
  }

  /** What stands in a message: the address or the data URI. */
  toImageUrl(): string {
    return this.url || this.dataUri;
  }

  /** The image as a content part. */
  toContentPart(): ContentPart {
    return ContentPart.of('image_url', { image_url: { url: this.toImageUrl(), detail: this.detail } });
  }

  /** The image as content of one part. */
  toContent(): Content {
    return Content.of(this.toContentPart());
  }

  /** A user message of just this image. */
  toMessage(): Message {
    return Message.of({ content: this.toContent() });
  }

  /** A list of one user message with just this image. */
  toMessages(): Messages {
    return Messages.of(this.toMessage());
  }
}

/** A `data:` URL of base64: its type, and the bytes. */
export const DATA_URL = /^data:([^;,]*)[^,]*;base64,(.*)/is;

/** Whether an address is one that every model of Gemini reads: an uploaded file, Cloud Storage, a video of YouTube. */
export function isKnownAddress(url: string): boolean {
  return /^(gs:|https:\/\/(generativelanguage\.googleapis\.com|(www\.)?youtube\.com|youtu\.be)\/)/.test(url);
}

/** The type that an address tells by its end, or by being one of YouTube; undefined where it tells none. */
export function typeOfAddress(url: string): string | undefined {
  if (/^https:\/\/(www\.)?youtu/.test(url)) return 'video/mp4';
  const [, end] = /\.(png|jpe?g|gif|webp|hei[cf]|pdf)(?![\w/])/.exec(url.toLowerCase()) ?? [];
  return end && `${end === 'pdf' ? 'application' : 'image'}/${end}`;
}

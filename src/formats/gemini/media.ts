/** Whether an address is one that every model of Gemini reads: an uploaded file, Cloud Storage, a video of YouTube. */
export function isKnownAddress(url: string): boolean {
  return /^(gs:|https:\/\/(generativelanguage\.googleapis\.com|(www\.)?youtube\.com|youtu\.be)\/)/.test(url);
}

/** Whether media are at an address that the wire takes, be it known or not. */
export function isAddress(source: string): boolean {
  return /^(https?|gs):/i.test(source);
}

/** The type that an address tells by its end, or by being one of YouTube; undefined where it tells none. */
export function typeOfAddress(url: string): string | undefined {
  if (/^https:\/\/(www\.)?youtu/.test(url)) return 'video/mp4';
  const [, end] = /\.(png|jpe?g|gif|webp|hei[cf]|pdf)(?![\w/])/.exec(url.toLowerCase()) ?? [];
  return end && `${end === 'pdf' ? 'application' : 'image'}/${end}`;
}

/** Whether a value is text that says something. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

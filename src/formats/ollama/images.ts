const BASE64_URL = /^data:[^,]*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ADDRESS = /^(?:data:|[a-z][a-z0-9+.-]*:\/\/)/i;

/** How the base64 text of an image begins, by its first bytes (WHATWG MIME Sniffing, section 6.1). */
const BEGINNINGS = { png: 'iVBORw0KGgo', jpeg: '/9j/', gif: 'R0lGOD', webp: 'UklGR' };

/** The bare base64 text of a `data:` URL; undefined for any other URL. */
export function base64In(url: string): string | undefined {
  const prefix = BASE64_URL.exec(url.slice(0, 256))?.[0];
  return prefix === undefined ? undefined : url.slice(prefix.length);
}

/** Whether text is base64 as the server reads it: the standard alphabet, padded, not empty (Go's `encoding/json`). */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** An image of the wire as a `data:` URL of the type that its first bytes tell; what is a URL by mistake stays one. */
export function urlOf(image: string): string {
  if (ADDRESS.test(image.slice(0, 64))) return image;
  const [type] = Object.entries(BEGINNINGS).find(([, beginning]) => image.startsWith(beginning)) ?? [];
  return `data:${type === undefined ? 'application/octet-stream' : `image/${type}`};base64,${image}`;
}

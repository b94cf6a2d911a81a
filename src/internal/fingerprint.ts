const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/** 64 bits that tell texts apart, as 16 hexadecimal digits: two FNV-1a hashes side by side. Not for secrets. */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, PRIME);
    high = Math.imul(high ^ code, OTHER_PRIME);
  }
  return hex(high) + hex(low);
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0');
}

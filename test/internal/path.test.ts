import { describe, expect, it } from 'vitest';
import { joinPath } from '../../src/internal/path.ts';

describe('a path', () => {
  it.each<[string, string | number, string]>([
    ['', 'role', 'role'],
    ['messages[3]', 'role', 'messages[3].role'],
    ['messages', 3, 'messages[3]'],
    ['', 0, '[0]'],
    ['sections', 'main-2', 'sections.main-2'],
    ['sections', '$größe_', 'sections.$größe_'],
    ['sections', 'main section', 'sections["main section"]'],
    ['sections', '-main', 'sections["-main"]'],
    ['sections', '2024', 'sections["2024"]'],
    ['sections', 'a.b', 'sections["a.b"]'],
    ['sections', '', 'sections[""]'],
    ['', 'a b', '["a b"]'],
    ['metadata', 'line\nbreak', 'metadata["line\\nbreak"]'],
    ['metadata', '\ud83d', 'metadata["\\ud83d"]'],
    ['metadata', '__proto__', 'metadata.__proto__'],
  ])('%j and %j make %j', (path, key, joined) => {
    expect(joinPath(path, key)).toBe(joined);
  });
});

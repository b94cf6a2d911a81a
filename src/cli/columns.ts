/** Rows of cells as text with aligned columns, the first row underlined; columns of numbers stand to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...body] = rows;
  const widths = headings.map((_, at) => Math.max(...rows.map((row) => width(row[at] ?? ''))));
  const isNumeric = headings.map((_, at) => body.every((row) => /^\d+$/.test(row[at] ?? '')));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0, isNumeric[at] === true))
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((size) => '-'.repeat(size))), ...body.map(line)].join('\n');
}

function pad(cell: string, size: number, right: boolean): string {
  const space = ' '.repeat(size - width(cell));
  return right ? space + cell : cell + space;
}

/** The number of characters that a person sees. */
function width(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}

/** A cell: text, or a number as plain decimal text, which a spreadsheet may reckon with. */
export type Cell = string | null | { number: string };

// A spreadsheet takes a text that begins so for a formula.
const FORMULA = /^[=+\-@\t\r\n]/;

/** One line of CSV (RFC 4180). A text that a spreadsheet would run is shown as text; numbers stay numbers. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return cell.number;
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(/;(?=\s*[=+\-@])/g, ";'"); // where a semicolon parts cells, each part begins one
  return /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

import { expect, test } from "vitest";
import { csvLine } from "./csv";

test.each([
  ["=1+1", "'=1+1"], ["+44 20", "'+44 20"], ["-5.00", "'-5.00"], ["@SUM(A1)", "'@SUM(A1)"], ["\tx", "\"'\tx\""], ["\nx", "\"'\nx\""], ["\rx", "\"'\rx\""],
  ["=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""], ["a,b", "\"a,b\""], ["say \"hi\"", "\"say \"\"hi\"\"\""], [" padded ", "\" padded \""], ["48;=cmd|x", "\"48;'=cmd|x\""], ["a; b", "\"a; b\""], ["plain", "plain"], ["", ""],
])("the text %j is %j and no formula", (text, written) => expect(csvLine([text])).toBe(`${written}\r\n`));

test("a number stays a number, nothing stays empty", () => expect(csvLine([{ number: "-5.00" }, null, "x"])).toBe("-5.00,,x\r\n"));

import type { ComponentProps } from "react";

const BASE = "inline-flex items-center justify-center gap-2 rounded-2 border text-sm/none font-medium whitespace-nowrap no-underline transition-colors duration-[var(--u-fast)]";
const LOOKS = {
  plain: "border-rule-strong bg-field text-ink hover:border-ink",
  primary: "border-sign bg-sign text-on-sign font-semibold tabular-nums hover:bg-sign-strong hover:border-sign-strong",
  no: "border-rule-strong bg-field text-rejected hover:border-rejected",
  noSolid: "border-rejected bg-rejected text-sheet font-semibold hover:brightness-90",
  bare: "border-transparent text-sign hover:text-sign-strong",
} as const;
const SIZES = {
  normal: "h-[var(--u-control)] px-3",
  small: "h-[1.625rem] px-2 text-xs/none coarse:h-9 coarse:px-3",
  tall: "h-11 px-3 text-md/none",
} as const;

export type Look = keyof typeof LOOKS;
export type Size = keyof typeof SIZES;

/** The classes of a button, for links that look like one. */
export const buttonClass = (look: Look = "plain", size: Size = "normal", more = ""): string => `${BASE} ${LOOKS[look]} ${SIZES[size]} ${more}`;

export function Button({ look, size, className, type = "button", ...props }: ComponentProps<"button"> & { look?: Look; size?: Size }) {
  return <button type={type} className={buttonClass(look, size, `disabled:opacity-60 aria-busy:opacity-100 ${className ?? ""}`)} {...props} />;
}

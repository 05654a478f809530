import type { ReactNode } from "react";
import { PartKey, Purse, type Part } from "./purse";
import { moneyText } from "@/components/ui/money";
import { Block } from "@/components/ui/block";

type Props = {
  paymentId: string;
  captured: string;
  currency: string;
  /** What is taken from it, in order; the blank one is what remains. */
  parts: readonly Part[];
  /** What is proposed against the payment and not in the sum. */
  staged: ReactNode;
  stagedWord: string;
};

/** Where the money of a payment stands: a bar to scale and its figures, on a phone a column of sums. */
export function PaymentStanding({ paymentId, captured, currency, parts, staged, stagedWord }: Props) {
  return (
    <Block title="Payment" aside={<span className="mono">{paymentId}</span>}>
      <Purse captured={captured} currency={currency} parts={parts} />
      <dl className="mt-1.5 flex flex-wrap justify-between gap-x-3 gap-y-1 mid:grid mid:grid-cols-3 phone:block">
        <Figure word="Paid">{moneyText(captured, currency)}</Figure>
        {parts.map((part) => <PartFigure key={part.word} part={part} currency={currency} />)}
        <Figure word={stagedWord} phoneWord={`${stagedWord}, not counted`}>{staged}</Figure>
      </dl>
    </Block>
  );
}

const ROW = "phone:flex phone:items-baseline phone:justify-between phone:gap-3 phone:border-b phone:border-rule phone:py-1";
const LABEL = "flex items-center gap-[5px] text-xs text-ink-2 phone:text-sm phone:text-ink";
const FIGURE = "text-lg/[1.375rem] font-medium tabular-nums phone:text-md phone:font-normal";

function Figure({ word, phoneWord = word, children }: { word: string; phoneWord?: string; children: ReactNode }) {
  return (
    <div className={ROW}>
      <dt className={LABEL}>{phoneWord === word ? word : <><span className="phone:hidden">{word}</span><span className="hidden phone:inline">{phoneWord}</span></>}</dt>
      <dd className={FIGURE}>{children}</dd>
    </div>
  );
}

function PartFigure({ part, currency }: { part: Part; currency: string }) {
  const remains = part.look === "blank";
  const taken = part.look === "this";
  return (
    <div className={`${ROW} ${remains ? "phone:border-t phone:border-b-0 phone:border-t-ink phone:font-semibold" : ""}`}>
      <dt className={`${LABEL} ${remains ? "phone:font-semibold" : ""}`}><PartKey look={part.look} />{part.word}</dt>
      <dd className={`${FIGURE} ${remains ? "font-semibold" : ""} ${taken ? "text-money-out" : ""} ${part.minor.startsWith("-") ? "text-failed" : ""}`}>
        <span className={remains ? "phone:double-ruled" : ""}>
          {taken || remains ? moneyText(part.minor, currency, taken) : (
            <><span className="phone:hidden">{moneyText(part.minor, currency)}</span><span className="hidden phone:inline">{moneyText(part.minor, currency, true)}</span></>
          )}
        </span>
      </dd>
    </div>
  );
}

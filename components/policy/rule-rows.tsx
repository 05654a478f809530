"use client";

import type { ReactNode } from "react";
import { Block } from "@/components/ui/block";
import { MoneyField, NumberField } from "./figures";
import { GROUPS, sentenceOf, type MoneyRule, type NumberRule, type Sentence } from "./rules";
import { amounts, Line, Said, Words, type Editing } from "./sentence";
import { TierRows } from "./tier-rows";

/** The rules as sentences, in groups. */
export function RuleRows(editing: Editing) {
  return GROUPS.map(({ title, rules }) => (
    <Block key={title} title={title}>
      {rules.map((each) => (
        <RuleRow key={each.rule} rule={each.rule} changed={editing.changed.has(each.rule)}>
          {each.kind === "money" && <MoneySentence {...each} {...editing} />}
          {each.kind === "number" && <NumberSentence {...each} {...editing} />}
          {each.kind === "tiers" && <TierRows {...editing} lead={each.before} />}
        </RuleRow>
      ))}
    </Block>
  ));
}

function RuleRow({ rule, changed, children }: { rule: string; changed: boolean; children: ReactNode }) {
  return (
    <div role="group" aria-label={`${sentenceOf(rule)}${changed ? ", edited" : ""}`} className={`grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-b border-l-4 border-b-rule py-2 pl-3 one:grid-cols-1 ${changed ? "border-l-sign" : "border-l-transparent"}`}>
      <div>{children}</div>
      <p className="mono pt-1.5 text-ink-3 one:pt-1">{rule}</p>
    </div>
  );
}

const NotSet = () => <span className="text-ink-2 italic">not set</span>;

function MoneySentence({ rule, before, after, draft, errors, edit }: Sentence & { rule: MoneyRule } & Editing) {
  const texts = draft.money[rule];
  if (!edit) return <p>{before} {texts ? <Said>{amounts(texts)}</Said> : <NotSet />} {after}</p>;
  const set = (currency: string, text: string) => edit((was) => ({ ...was, money: { ...was.money, [rule]: { ...was.money[rule], [currency]: text } } }));
  return (
    <Line>
      <Words>{before}</Words>
      {draft.currencies.map((currency) => (
        <MoneyField key={currency} label={sentenceOf(rule)} currency={currency} text={texts?.[currency] ?? ""} onText={(text) => set(currency, text)} error={errors[`${rule}.${currency}`]} empty={texts ? "no cap: refused" : "not set yet"} />
      ))}
      <Words>{after}</Words>
    </Line>
  );
}

function NumberSentence({ rule, before, after, empty, draft, errors, edit }: Sentence & { rule: NumberRule } & Editing) {
  const text = draft.numbers[rule];
  const none = empty ? <span className="text-ink-2">({empty})</span> : <NotSet />;
  if (!edit) return <p>{before} {text === "" ? none : <Said>{Number(text).toLocaleString("en-GB")}</Said>} {after}</p>;
  return (
    <Line>
      <Words>{before}</Words>
      <NumberField label={sentenceOf(rule)} text={text} onText={(next) => edit((was) => ({ ...was, numbers: { ...was.numbers, [rule]: next } }))} error={errors[rule]} empty={empty} />
      <Words>{after}</Words>
    </Line>
  );
}

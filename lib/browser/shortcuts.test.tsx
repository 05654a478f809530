import { fireEvent, render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useShortcuts } from "./shortcuts";

function Page({ act, on = true }: { act: () => void; on?: boolean }) {
  useShortcuts({ a: act, "?": act }, on);
  return (
    <>
      <button type="button">press</button>
      <input aria-label="text" />
      <textarea aria-label="long text" />
      <div role="none" contentEditable suppressContentEditableWarning>editable</div>
    </>
  );
}

const pressOn = (selector: string, init: KeyboardEventInit) => fireEvent.keyDown(document.querySelector(selector)!, init);

test("a single key acts, wherever the focus is but in a text field", () => {
  const act = vi.fn<() => void>();
  render(<Page act={act} />);
  pressOn("body", { key: "a" });
  pressOn("button", { key: "a" });
  pressOn("body", { key: "?", shiftKey: true });
  expect(act).toHaveBeenCalledTimes(3);
});

test("repeats, modifiers, composition and text fields are left alone", () => {
  const act = vi.fn<() => void>();
  render(<Page act={act} />);
  for (const init of [{ repeat: true }, { ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }, { isComposing: true }]) pressOn("body", { key: "a", ...init });
  for (const field of ["input", "textarea", "[contenteditable]"]) pressOn(field, { key: "a" });
  pressOn("body", { key: "x" });
  pressOn("body", { key: "A" });
  expect(act).not.toHaveBeenCalled();
});

test("an open dialog or menu keeps the keys to itself", () => {
  const act = vi.fn<() => void>();
  render(<><Page act={act} /><div role="dialog" /></>);
  pressOn("body", { key: "a" });
  expect(act).not.toHaveBeenCalled();
});

test("switched off, no key does anything", () => {
  const act = vi.fn<() => void>();
  const { rerender } = render(<Page act={act} on={false} />);
  pressOn("body", { key: "a" });
  expect(act).not.toHaveBeenCalled();
  rerender(<Page act={act} />);
  pressOn("body", { key: "a" });
  expect(act).toHaveBeenCalledOnce();
});

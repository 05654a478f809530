"use client";

import { useState, type ReactNode } from "react";
import { Button, type Look, type Size } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

type Shown = { close: () => void; /** What the deed gave, and is shown once: the dialog then stays until its button is pressed. */ show: (once: ReactNode) => void };
type Props = { word: string; /** Where the word alone does not say whom it is about. */ says?: string; title: string; look?: Look; size?: Size; children: (shown: Shown) => ReactNode };

/** A button that opens the dialog of one deed. */
export function DeedDialog({ word, says, title, look, size, children }: Props) {
  const [open, setOpen] = useState(false);
  const [once, setOnce] = useState<ReactNode>(null);
  const close = () => setOpen(false);
  const opens = () => {
    setOnce(null);
    setOpen(true);
  };
  return (
    <>
      <Button look={look} size={size} aria-label={says} onClick={opens}>{word}</Button>
      <Dialog open={open} onOpenChange={setOpen} title={title} stays={once !== null}>
        {once ? <>{once}<div className="mt-4 flex justify-end"><Button look="primary" onClick={close}>Done</Button></div></> : children({ close, show: setOnce })}
      </Dialog>
    </>
  );
}

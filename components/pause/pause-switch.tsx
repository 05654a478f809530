"use client";

import { useQueryClient } from "@tanstack/react-query";
import { DeedDialog } from "@/components/forms/deed-dialog";
import { DeedForm } from "@/components/forms/deed-form";
import type { FormAction } from "@/components/forms/use-form";
import { TextArea } from "@/components/ui/field";
import { standingQuery } from "@/lib/browser/queries";

/** The kill switch: one press, a reason, at once. */
export function PauseSwitch({ pause }: { pause: FormAction<void> }) {
  const queries = useQueryClient();
  return (
    <DeedDialog word="Pause…" says="Pause: nothing is staged or applied" title="Pause everything" look="no" size="small">
      {({ close }) => (
        <DeedForm action={pause} onDone={() => { close(); void queries.invalidateQueries(standingQuery()); }} onCancel={close} deed="Pause" doing="Pausing…" notDone="Nothing was paused." look="noSolid">
          {(errorOf) => (
            <>
              <p className="text-ink-2">From this moment agents can stage nothing, and nothing is applied, approved or not. Where there is another admin, it takes them to resume.</p>
              <TextArea label="Why" name="reason" rows={3} maxLength={2000} error={errorOf("reason")} hint="Everyone here reads it. Only its digest enters the log." />
            </>
          )}
        </DeedForm>
      )}
    </DeedDialog>
  );
}

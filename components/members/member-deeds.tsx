"use client";

import type { MemberView } from "@/lib/identity/queries";
import { DeedDialog } from "@/components/forms/deed-dialog";
import { DeedForm } from "@/components/forms/deed-form";
import { ChoiceField, TextField } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import type { MemberActions } from "./actions";
import { ShownInvitation } from "./invitation";
import { ROLE_CHOICES, roleWord } from "./roles";

export function AddMember({ invite }: Pick<MemberActions, "invite">) {
  return (
    <DeedDialog word="Add a member…" title="Add a member" look="primary">
      {({ close, show }) => (
        <DeedForm action={invite} onDone={(invitation) => show(<ShownInvitation invitation={invitation} />)} onCancel={close} deed="Add the member" doing="Adding…" notDone="Nobody was added.">
          {(errorOf) => (
            <>
              <TextField label="E-mail" name="email" type="email" autoComplete="off" error={errorOf("email")} />
              <TextField label="Name, as it stands under what they sign" name="name" autoComplete="off" error={errorOf("name")} />
              <ChoiceField label="Role" name="role" kind="radio" options={ROLE_CHOICES} chosen={["operator"]} error={errorOf("role")} />
            </>
          )}
        </DeedForm>
      )}
    </DeedDialog>
  );
}

/** What an admin may do about one member. */
export function MemberDeeds({ member, actions }: { member: MemberView; actions: MemberActions }) {
  const { id, name, role, mine } = member;
  const { good } = useToast();
  const hidden = { memberId: id };
  return (
    <span className="inline-flex gap-1">
      <DeedDialog word="Role…" says={`Change the role of ${name}`} title={`Change the role of ${name}`} look="bare" size="small">
        {({ close }) => (
          <DeedForm action={actions.setRole} hidden={hidden} onDone={close} onCancel={close} deed="Change the role" doing="Changing…" notDone={`${name} stays ${roleWord(role).toLowerCase()}.`}>
            <ChoiceField label="Role" name="role" kind="radio" options={ROLE_CHOICES} chosen={[role]} />
            <p className="text-ink-2">It holds from the next click, wherever {mine ? "you are" : `${name} is`} signed in.</p>
          </DeedForm>
        )}
      </DeedDialog>
      <DeedDialog word="New link…" says={`New sign-in link for ${name}`} title={`A new sign-in link for ${name}`} look="bare" size="small">
        {({ close, show }) => (
          <DeedForm action={actions.renew} hidden={hidden} onDone={(invitation) => show(<ShownInvitation invitation={invitation} />)} onCancel={close} deed="Make a link" doing="Making…" notDone="No link was made.">
            <p className="text-ink-2">For who lost the way in. Using it sets a new password and signs {name} out everywhere else. Until then nothing changes.</p>
          </DeedForm>
        )}
      </DeedDialog>
      <DeedDialog word="Remove…" says={`Remove ${name}`} title={`Remove ${name}`} look="bare" size="small">
        {({ close }) => (
          <DeedForm action={actions.remove} hidden={hidden} onDone={() => { close(); good({ title: `${name} was removed` }); }} onCancel={close} deed="Remove" doing="Removing…" notDone={`${name} was not removed.`} look="noSolid">
            <p className="text-ink-2">{mine ? "You are" : `${name} is`} signed out here at once. {endOfKeys(member)}What was signed stays in the log.</p>
          </DeedForm>
        )}
      </DeedDialog>
    </span>
  );
}

function endOfKeys({ keys, mine }: MemberView): string {
  const whose = mine ? "Your" : "Their";
  return keys === 0 ? "" : keys === 1 ? `${whose} agent key ends too. ` : `${whose} ${keys} agent keys end too. `;
}

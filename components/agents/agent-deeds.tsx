"use client";

import type { AgentsView, AgentView, KeyView } from "@/lib/identity/queries";
import { DeedDialog } from "@/components/forms/deed-dialog";
import { DeedForm } from "@/components/forms/deed-form";
import { ChoiceField, TextField } from "@/components/ui/field";
import type { AgentActions } from "./actions";
import { OwnerAndTerm, ShownSecret } from "./key-fields";
import { SCOPE_CHOICES } from "./scopes";

export function CreateAgent({ create }: Pick<AgentActions, "create">) {
  return (
    <DeedDialog word="Create an agent…" title="Create an agent" look="primary">
      {({ close }) => (
        <DeedForm action={create} onDone={close} onCancel={close} deed="Create the agent" doing="Creating…" notDone="No agent was created.">
          {(errorOf) => <TextField label="Name" name="name" autoComplete="off" error={errorOf("name")} hint="It stands beside everything the agent proposes." />}
        </DeedForm>
      )}
    </DeedDialog>
  );
}

type Of<T> = T & { view: AgentsView; agent: AgentView };

export function CreateKey({ makeKey, view, agent }: Of<Pick<AgentActions, "makeKey">>) {
  return (
    <DeedDialog word="Create a key…" says={`Create a key for ${agent.name}`} title={`Create a key for ${agent.name}`} size="small">
      {({ close, show }) => (
        <DeedForm action={makeKey} hidden={{ agentId: agent.id }} onDone={({ secret }) => show(<ShownSecret agent={agent.name} secret={secret} />)} onCancel={close} deed="Create the key" doing="Creating…" notDone="No key was created.">
          {(errorOf) => (
            <>
              <ChoiceField label="It may" name="scopes" kind="checkbox" options={SCOPE_CHOICES} chosen={["read", "stage:refund"]} error={errorOf("scopes")} />
              <OwnerAndTerm view={view} owner={view.viewer} error={errorOf} />
            </>
          )}
        </DeedForm>
      )}
    </DeedDialog>
  );
}

/** What an admin may do with a key: an expired one can be rotated back to life, a revoked one is gone. */
export function KeyDeeds({ rotate, revoke, view, agent, apiKey }: Of<Pick<AgentActions, "rotate" | "revoke">> & { apiKey: KeyView }) {
  const { id, ownerId, persons } = apiKey;
  return (
    <span className="inline-flex gap-1">
      <DeedDialog word="Rotate…" says={`Rotate key ${id}`} title={`Rotate ${id} of ${agent.name}`} look="bare" size="small">
        {({ close, show }) => (
          <DeedForm action={rotate} hidden={{ keyId: id }} onDone={({ secret }) => show(<ShownSecret agent={agent.name} secret={secret} />)} onCancel={close} deed="Rotate" doing="Rotating…" notDone="The key stays as it was.">
            {(errorOf) => (
              <>
                <p className="text-ink-2">The key gets a new secret. The old one stops at once, and whoever owned, made or rotated it before still may not approve.</p>
                <OwnerAndTerm view={view} owner={ownerId} before={persons} error={errorOf} />
              </>
            )}
          </DeedForm>
        )}
      </DeedDialog>
      <DeedDialog word="Revoke…" says={`Revoke key ${id}`} title={`Revoke ${id} of ${agent.name}`} look="bare" size="small">
        {({ close }) => (
          <DeedForm action={revoke} hidden={{ keyId: id }} onDone={close} onCancel={close} deed="Revoke" doing="Revoking…" notDone="The key works as before." look="noSolid">
            <p className="text-ink-2">It stops working now and cannot be switched on again. What it has proposed stays and can still be decided.</p>
          </DeedForm>
        )}
      </DeedDialog>
    </span>
  );
}

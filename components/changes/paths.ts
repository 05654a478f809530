import { VIEWS, type ViewName } from "@/lib/changes/view";

export const viewPath = (view: ViewName): string => (view === "waiting" ? "/changes" : `/changes?view=${view}`);

export const changePath = (id: string, view: ViewName): string => `/changes/${id}${view === "waiting" ? "" : `?view=${view}`}`;

/** The change that a path opens, if it opens one. */
export const changeOf = (path: string): string | null => /^\/changes\/([^/?#]+)$/.exec(path)?.[1] ?? null;

export const viewOf = (value: string | string[] | undefined): ViewName => VIEWS.find((view) => view === value) ?? "waiting";

import type { SpaceAct } from '@collab-spaces/client'

/** The page size of acts. */
export const ACTS_PAGE = 50

/** A gapless run of the acts on a space and its decisions. */
export interface ActRun {
  readonly acts: readonly SpaceAct[]
  /** The time from which it is complete; null if it reaches back to the first act. */
  readonly from: string | null
  /** The time up to which it is complete; null if it reaches to the newest act. */
  readonly to: string | null
  /** The cursors for older and newer pages. */
  readonly before: number
  readonly after: number
}

export const NO_ACTS: ActRun = { acts: [], from: null, to: null, before: 1, after: 0 }

/** Returns the run of the newest page. */
export const newestActs = (page: readonly SpaceAct[]): ActRun =>
  withOlder({ ...NO_ACTS, before: (page.at(-1)?.position ?? 0) + 1, after: page.at(-1)?.position ?? 0 }, page)

/** Returns the run of a non-empty page that begins at a time. */
export const actsFrom = (page: readonly SpaceAct[], time: string): ActRun => {
  const before = page[0]?.position ?? 1
  return withNewer({ ...NO_ACTS, from: time, before, after: before - 1 }, page, page.length < ACTS_PAGE)
}

/** Prepends an older page to a run. */
export function withOlder(run: ActRun, page: readonly SpaceAct[]): ActRun {
  const first = page[0]
  const isComplete = first === undefined || first.position === 1
  return {
    ...run,
    acts: [...page, ...run.acts],
    from: isComplete ? null : first.created_at,
    before: first?.position ?? 1,
  }
}

/** Appends a newer page to a run. The page may overlap it. */
export function withNewer(run: ActRun, page: readonly SpaceAct[], isComplete: boolean): ActRun {
  const acts = [...run.acts, ...page.filter(({ position }) => position > run.after)]
  const last = acts.at(-1)
  return {
    ...run,
    acts,
    to: isComplete ? null : (last?.created_at ?? run.to),
    after: Math.max(run.after, last?.position ?? 0),
  }
}

/** Drops acts older than a time. */
export function withoutOlder(run: ActRun, than: string): ActRun {
  if (run.from !== null && run.from >= than) return run
  const acts = run.acts.filter(({ created_at }) => created_at >= than)
  const before = acts[0]?.position ?? run.after + 1
  return { ...run, acts, from: before === 1 ? null : than, before }
}

/** Drops acts newer than a time. */
export function withoutNewer(run: ActRun, than: string): ActRun {
  if (run.to !== null && run.to <= than) return run
  const acts = run.acts.filter(({ created_at }) => created_at <= than)
  return { ...run, acts, to: than, after: acts.at(-1)?.position ?? run.before - 1 }
}

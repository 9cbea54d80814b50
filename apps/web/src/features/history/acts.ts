import type { SpaceAct } from '@collab-spaces/client'

/** As many acts as are read at a time. */
export const ACTS = 50

/** A run of what was done about a space and its decisions, without gaps. */
export interface ActRun {
  readonly acts: readonly SpaceAct[]
  /** It has all of this time and later, as far as it reaches; null if none are older. */
  readonly from: string | null
  /** It has all up to this time; null if it reaches to the newest. */
  readonly to: string | null
  /** The position before which it goes on, and that after which it does. */
  readonly before: number
  readonly after: number
}

export const NO_ACTS: ActRun = { acts: [], from: null, to: null, before: 1, after: 0 }

/** The run of a page of the newest. */
export const newestActs = (page: readonly SpaceAct[]): ActRun =>
  withOlder({ ...NO_ACTS, before: (page.at(-1)?.position ?? 0) + 1, after: page.at(-1)?.position ?? 0 }, page)

/** The run of a page that begins at a time, which is not empty. */
export const actsFrom = (page: readonly SpaceAct[], time: string): ActRun => {
  const before = page[0]?.position ?? 1
  return withNewer({ ...NO_ACTS, from: time, before, after: before - 1 }, page, page.length < ACTS)
}

/** A run that goes on with the page before it. */
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

/** A run that goes on with what comes after it: some of it may be there already. */
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

/** Lets go of what is older. */
export function withoutOlder(run: ActRun, than: string): ActRun {
  if (run.from !== null && run.from >= than) return run
  const acts = run.acts.filter(({ created_at }) => created_at >= than)
  const before = acts[0]?.position ?? run.after + 1
  return { ...run, acts, from: before === 1 ? null : than, before }
}

/** Lets go of what is newer. */
export function withoutNewer(run: ActRun, than: string): ActRun {
  if (run.to !== null && run.to <= than) return run
  const acts = run.acts.filter(({ created_at }) => created_at <= than)
  return { ...run, acts, to: than, after: acts.at(-1)?.position ?? run.before - 1 }
}

import type { AppRouter, ErrorShape, JsonObject } from '@collab-spaces/api'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'

export type { AppRouter, ErrorShape, JsonObject }

/** What each operation takes, such as `RouterInputs['space']['create']`. */
export type RouterInputs = inferRouterInputs<AppRouter>

/** What each operation answers, such as `RouterOutputs['space']['list']`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** Something that was said in a space. */
export type Event = RouterOutputs['event']['get']
/** A space as lists show it. */
export type Space = RouterOutputs['space']['list'][number]
/** A space with its participants. */
export type SpaceStatus = RouterOutputs['space']['status']
/** An actor that has joined a space. */
export type Participant = RouterOutputs['participant']['join']
/** A sub-conversation on an event. */
export type Thread = RouterOutputs['thread']['start']
/** A proposal, and what became of it. */
export type Decision = RouterOutputs['decision']['get']
/** From a space to another one, or to a URL. */
export type Link = RouterOutputs['link']['create']
/** Who has said what lately. */
export type Activity = RouterOutputs['activity']['get']
/** What happened in a window of time, in Markdown. */
export type Summary = RouterOutputs['summary']['get']
/** An event that a search found. */
export type Match = RouterOutputs['search']['events'][number]
/** A human or an agent. */
export type Actor = RouterOutputs['actor']['me']
/** A personal access token, without its secret. */
export type Token = RouterOutputs['token']['list'][number]
/** Whose data is apart from everybody else's. */
export type Tenant = RouterOutputs['tenant']['get']
/** A way into a tenant, without its code. */
export type Invite = RouterOutputs['invite']['list'][number]

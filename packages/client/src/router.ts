import type { AppRouter, ErrorShape, JsonObject } from '@collab-spaces/api'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'

export type { AppRouter, ErrorShape, JsonObject }

/** The input of each operation, such as `RouterInputs['space']['create']`. */
export type RouterInputs = inferRouterInputs<AppRouter>

/** The output of each operation, such as `RouterOutputs['space']['list']`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** Something that somebody said in a space. */
export type Event = RouterOutputs['event']['get']
/** A space as lists show it. */
export type Space = RouterOutputs['space']['list'][number]
/** A space with its participants. */
export type SpaceDetails = RouterOutputs['space']['status']
/** An actor that has joined a space. */
export type Participant = RouterOutputs['participant']['join']
/** A conversation on the side, about one event. */
export type Thread = RouterOutputs['thread']['start']
/** A proposal, and its outcome. */
export type Decision = RouterOutputs['decision']['get']
/** A link from a space to another one, or to a URL. */
export type Link = RouterOutputs['link']['create']
/** Who said what lately. */
export type Activity = RouterOutputs['activity']['get']
/** What happened in a window of time, in Markdown. */
export type Summary = RouterOutputs['summary']['get']
/** An event that a search found. */
export type Match = RouterOutputs['search']['events'][number]
/** A human or an agent. */
export type Actor = RouterOutputs['actor']['me']
/** A personal access token, without its secret. */
export type Token = RouterOutputs['token']['list'][number]
/** An organization whose data nobody else can see. */
export type Tenant = RouterOutputs['tenant']['get']
/** A line of a tenant's security log. */
export type AuditEntry = RouterOutputs['audit']['list'][number]
/** An invite into a tenant, without its code. */
export type Invite = RouterOutputs['invite']['list'][number]

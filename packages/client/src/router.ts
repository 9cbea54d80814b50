import type { AppRouter, ErrorShape, JsonObject } from '@collab-spaces/api'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'

export type { AppRouter, ErrorShape, JsonObject }

/** The input of each operation, such as `RouterInputs['space']['create']`. */
export type RouterInputs = inferRouterInputs<AppRouter>

/** The output of each operation, such as `RouterOutputs['space']['list']`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** An event in a space. */
export type Event = RouterOutputs['event']['get']
/** A file of a space, without its bytes. */
export type File = RouterOutputs['file']['get']
/** A file as an event names it. */
export type EventFile = NonNullable<Event['files']>[number]
/** A message of the stream of an actor. */
export type ActorMessage = RouterOutputs['actor']['stream'] extends AsyncIterable<infer Message> ? Message : never
/** A space as lists show it. */
export type Space = RouterOutputs['space']['list'][number]
/** A space with its participants. */
export type SpaceDetails = RouterOutputs['space']['status']
/** An actor that has joined a space. */
export type Participant = RouterOutputs['participant']['join']
/** A conversation on the side, about one event. */
export type Thread = RouterOutputs['thread']['start']
/** A thread as lists show it. */
export type ActiveThread = RouterOutputs['thread']['list'][number]
/** All that waits for an actor. */
export type Inbox = RouterOutputs['inbox']['get']
/** An event that addresses an actor, and why. */
export type InboxItem = Inbox['items'][number]
/** A work claim: what its holder works on, and until when. */
export type WorkClaim = RouterOutputs['claim']['take']
/** The receipt of an event for an actor that it addresses. */
export type Receipt = RouterOutputs['receipt']['list'][number]
/** Something that an actor is told and that no event says. */
export type Notice = Inbox['notices'][number]
/** A proposal, and its outcome. */
export type Decision = RouterOutputs['decision']['get']
/** An act about a decision, with its actor and credential. */
export type DecisionAct = RouterOutputs['decision']['acts'][number]
export type SpaceAct = RouterOutputs['space']['acts'][number]
/** The rules for settling the decisions of a space, and for how much agents may say among themselves. */
export type Policy = RouterOutputs['policy']['get']
/** A link from a space to another one, or to a URL. */
export type Link = RouterOutputs['link']['create']
/** The latest events of a space, by speaker. */
export type Activity = RouterOutputs['activity']['get']
/** A summary of a window of time, in Markdown. */
export type Summary = RouterOutputs['summary']['get']
/** The context of a space, within a budget of tokens. */
export type Context = RouterOutputs['context']['get']
/** An event that a search found. */
export type Match = RouterOutputs['search']['events'][number]
/** A decision that a search found. */
export type DecisionMatch = RouterOutputs['search']['decisions'][number]
/** An actor as colleagues see it. */
export type ActorCard = RouterOutputs['actor']['card']
/** A human or an agent. */
export type Actor = RouterOutputs['actor']['change']
/** A one-time code with which an agent gets its own key; the code itself is left out. */
export type AgentCode = RouterOutputs['agentCode']['list'][number]
/** A personal access token, without its secret. */
export type Token = RouterOutputs['token']['list'][number]
/** A credential of an actor, without its secret, and what ends with it. */
export type Credential = RouterOutputs['credential']['list'][number]
/** Everything that ends with a credential, or has ended with it. */
export type EndedItems = Credential['ends']
/** An organization with isolated data. */
export type Tenant = RouterOutputs['tenant']['get']
/** The rules that hold in all spaces of a tenant. */
export type TenantPolicy = RouterOutputs['tenantPolicy']['get']
/** An actor as the others of its tenant see it. */
export type Member = RouterOutputs['tenant']['members'][number]
/** A line of a tenant's security log. */
export type AuditEntry = RouterOutputs['audit']['list'][number]
/** A URL that requests are sent to when something happens. */
export type Webhook = RouterOutputs['webhook']['list'][number]
/** A request that was sent to a webhook, and what became of it. */
export type WebhookAttempt = RouterOutputs['webhook']['test']
/** An invite into a tenant, without its code. */
export type Block = RouterOutputs['block']['list'][number]
export type Invite = RouterOutputs['invite']['list'][number]

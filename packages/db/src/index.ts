export { IN_SERVICE, isInService } from './access/in-service.js'
export type { ActorRecord } from './access/record.js'
export { asSystem } from './access/view.js'
export type { ActRecord } from './act/act.js'
export type { NewActor } from './actor/actor.js'
export type { AgentCodeRecord } from './actor/agent-code.js'
export type { ActorCard } from './actor/card.js'
export type { NewPicture, PictureRecord } from './actor/picture.js'
export { type AuditFilter, type AuditRecord, recordOfOperator } from './audit/audit.js'
export { type Bus, notification } from './connection/bus.js'
export { databaseClock, readClock } from './connection/clock.js'
export {
  CARRIES_TENANTS,
  type ConnectionOptions,
  clientConfig,
  inTransaction,
  isUnencrypted,
  type LogFunction,
} from './connection/connection.js'
export { isConflict, isOfMovingTenant, isOfStandby, isUnavailable } from './connection/fault.js'
export type { Listing } from './connection/listing.js'
export type { Capacity } from './connection/pools.js'
export type { ServerSignal, SpacePart } from './connection/signal.js'
export type { Vitals } from './connection/vitals.js'
export type { Bearer, HeldCredential, Principal } from './credential/credential.js'
export type { DeviceRecord } from './credential/device-code.js'
export type { OauthPayload, OauthPlace } from './credential/oauth-record.js'
export type { CredentialRecord } from './credential/of-actor.js'
export type { PasskeyRecord } from './credential/passkey.js'
export type { NewSession, SignedIn } from './credential/session.js'
export type { TokenRecord } from './credential/token.js'
export type { OneTimeCode } from './credential/used-code.js'
export { type Database, openDatabase } from './database.js'
export type { AssignedDecisions } from './decision/decision.js'
export type { DecisionKey } from './decision/key.js'
export type { NotifyingDecision } from './decision/proposal.js'
export type { DecisionRecord } from './decision/record.js'
export type { FoundDecision } from './decision/search.js'
export type { DecidedExcerpt, DecidedWithin } from './decision/window.js'
export { type ErasureRecord, type ErasureRequest, notBeingDeleted } from './erasure/erasure.js'
export {
  BucketFault,
  type ContentKey,
  type ContentSource,
  inChunks,
  type ObjectStore,
  type Turn,
} from './file/content.js'
export type { FileRecord, StoredFile } from './file/read.js'
export type { UnindexedFile } from './file/text.js'
export type { IdentityTerms } from './identity/identity.js'
export type { Attention, AttentionReasons, InboxOwner } from './inbox/attention.js'
export type { DeliveredRange } from './inbox/delivery.js'
export type { InboxItem, InboxPage } from './inbox/page.js'
export type { ReceiptRecord, Receipts } from './inbox/receipt.js'
export type { IncomingChange, IncomingWebhookRecord } from './incoming-webhook/incoming-webhook.js'
export type { Row } from './integrity/column.js'
export { COLUMNS } from './integrity/columns.js'
export { type Place, type Reference, readReferences, tenantOf } from './integrity/references.js'
export {
  type ActJson,
  type CheckedAct,
  type CheckedEvent,
  readAct,
  timestamp,
  whyUnreadable,
} from './integrity/stored-json.js'
export type { AllowInvite, InviteRecord, NewInvite } from './invite/invite.js'
export type { LinkRecord } from './link/link.js'
export type { AppendOutcome, CommittedEvent, Idempotency } from './log/append.js'
export type { Append } from './log/append-statement.js'
export type { EventLog } from './log/event-log.js'
export { type Cursor, type FoundSpan, type Page, type PageRequest, PIECE_BYTES, type Span } from './log/page.js'
export { pullFrom, pulling } from './log/pull.js'
export { type Beginning, type EventReader, type KeyedEvent, type LogEntry, PAGES_PER_STATEMENT } from './log/read.js'
export type { NewNotice, NoticeRecord } from './notice/notice.js'
export type { DueChannel, LeasedChannel } from './notification/lease.js'
export type { PendingContent, WaitingEvent, WaitingReturn, WaitingSpace } from './notification/pending.js'
export type { ChannelRecord, NotificationRecord } from './notification/record.js'
export type { QuotaOf, QuotaRecord } from './quota/quota.js'
export type { RateUse } from './quota/rate-count.js'
export type { ActorUsage } from './quota/usage.js'
export type { SearchMatch } from './search/match.js'
export type { SearchRequest } from './search/search.js'
export type { SpeakerActivity } from './space/activity.js'
export type { JoinedSpace, Listener, PresenceChange } from './space/audience.js'
export type { BlockRecord } from './space/block.js'
export type { ParticipantRecord } from './space/participant.js'
export type { PersonalView } from './space/personal.js'
export type { ChangePolicy, PolicyRecord } from './space/policy.js'
export type { CountedSpace, ListedSpace, ViewerFilter } from './space/read.js'
export type { OwnedSpace, SpaceKey, SpaceRecord } from './space/record.js'
export type { SpaceChange } from './space/space.js'
export type { SummaryRecord } from './summary/summary.js'
export type { MovableSpace, SpaceMove } from './tenant/space-move.js'
export type { MemberRecord, TenantRecord } from './tenant/tenant.js'
export type { ActiveThread, ThreadRecord } from './thread/thread.js'
export { type SealedTree, signatureProblem, tiledSize } from './tree/growth.js'
export { EPOCH, placeOf, SPACE_TREES, type SpaceTree, type TreeKey } from './tree/key.js'
export { entriesIn, hashesOf, LEAF, leavesOf } from './tree/leaves.js'
export type { BrokenTree } from './tree/seal.js'
export type { EntryRecord, TreeRecord } from './tree/tree.js'
export type { WebhookContent } from './webhook/content.js'
export type { WebhookStart } from './webhook/cursor.js'
export type { Delivery, WatchedWebhook, WebhookMessage } from './webhook/delivery.js'
export type { WebhookAttempt, WebhookKey, WebhookRecord } from './webhook/record.js'
export type { HeldProgress, ProgressOf, WorkClaimRecord } from './work-claim/work-claim.js'

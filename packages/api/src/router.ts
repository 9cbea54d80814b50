import { router } from './procedure/trpc.js'
import { activityRouter } from './routers/activity.js'
import { actorRouter } from './routers/actor.js'
import { agentCodeRouter } from './routers/agent-code.js'
import { auditRouter } from './routers/audit.js'
import { blockRouter } from './routers/block.js'
import { contextRouter } from './routers/context.js'
import { conversationRouter } from './routers/conversation.js'
import { credentialRouter } from './routers/credential.js'
import { decisionRouter } from './routers/decision.js'
import { deviceRouter } from './routers/device.js'
import { eventRouter } from './routers/event/index.js'
import { fileRouter } from './routers/file.js'
import { identityRouter } from './routers/identity.js'
import { inboxRouter } from './routers/inbox.js'
import { incomingWebhookRouter } from './routers/incoming-webhook.js'
import { inviteRouter } from './routers/invite.js'
import { linkRouter } from './routers/link.js'
import { logRouter } from './routers/log.js'
import { notificationRouter } from './routers/notification.js'
import { participantRouter } from './routers/participant.js'
import { passkeyRouter } from './routers/passkey.js'
import { pictureRouter } from './routers/picture.js'
import { policyRouter } from './routers/policy.js'
import { preferenceRouter } from './routers/preference.js'
import { reactionRouter } from './routers/reaction.js'
import { receiptRouter } from './routers/receipt.js'
import { searchRouter } from './routers/search.js'
import { seenRouter } from './routers/seen.js'
import { signInRouter } from './routers/sign-in.js'
import { spaceRouter } from './routers/space.js'
import { summaryRouter } from './routers/summary.js'
import { tenantRouter } from './routers/tenant.js'
import { tenantPolicyRouter } from './routers/tenant-policy.js'
import { threadRouter } from './routers/thread.js'
import { tokenRouter } from './routers/token.js'
import { webhookRouter } from './routers/webhook.js'
import { workClaimRouter } from './routers/work-claim.js'

/** Every operation of the service, under its noun. Clients import its type. */
export const appRouter = router({
  actor: actorRouter,
  picture: pictureRouter,
  space: spaceRouter,
  conversation: conversationRouter,
  participant: participantRouter,
  event: eventRouter,
  file: fileRouter,
  thread: threadRouter,
  inbox: inboxRouter,
  seen: seenRouter,
  notification: notificationRouter,
  reaction: reactionRouter,
  receipt: receiptRouter,
  claim: workClaimRouter,
  decision: decisionRouter,
  policy: policyRouter,
  preference: preferenceRouter,
  block: blockRouter,
  link: linkRouter,
  activity: activityRouter,
  summary: summaryRouter,
  search: searchRouter,
  context: contextRouter,
  token: tokenRouter,
  credential: credentialRouter,
  signIn: signInRouter,
  passkey: passkeyRouter,
  identity: identityRouter,
  device: deviceRouter,
  tenant: tenantRouter,
  tenantPolicy: tenantPolicyRouter,
  invite: inviteRouter,
  agentCode: agentCodeRouter,
  webhook: webhookRouter,
  incomingWebhook: incomingWebhookRouter,
  log: logRouter,
  audit: auditRouter,
})

export type AppRouter = typeof appRouter

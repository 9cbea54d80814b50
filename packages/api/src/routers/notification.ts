import { databaseClock } from '@collab-spaces/db'
import { noServerKey, pushEndpoint } from '@collab-spaces/domain'
import { setAddress } from '../mail.js'
import { presentChannel, presentNotifications } from '../presenters/notification.js'
import type { Caller } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import {
  ChangeNotifications,
  Channel,
  ChannelId,
  Notifications,
  ReportPresence,
  Subscribe,
} from '../schemas/notification.js'
import type { Services } from '../services.js'
import { allowedHosts, elsewhere } from '../webhooks.js'

/** How a human who is away is told of what waits. */
export const notificationRouter = router({
  get: procedure
    .meta({
      caller: 'human',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/actors/me/notifications',
      tags: ['Inbox', 'Extensions'],
      summary: "Get the caller's notification settings",
      returns: 'notifications',
    })
    .output(Notifications)
    .query(async ({ ctx: { caller, services } }) =>
      presentNotifications(await services.database.notifications.read(caller), services),
    ),

  set: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'PUT /api/actors/me/notifications',
      tags: ['Inbox', 'Extensions'],
      summary: "Change the caller's notification settings",
      description: 'A null `email` means none. What is left out stays.',
      returns: 'notifications',
      errors: [409],
      example: { delay_minutes: 30, quiet_hours: { from: '22:00', until: '07:00' }, time_zone: 'Europe/Berlin' },
    })
    .input(ChangeNotifications)
    .output(Notifications)
    .mutation(async ({ ctx: { caller, services, slot }, input }) => {
      const { email, delay_minutes, push_delay_minutes, quiet_hours, time_zone, notices, shows_presence } = input
      const change = {
        ...(email !== undefined && { email }),
        ...(delay_minutes !== undefined && { delayMinutes: delay_minutes }),
        ...(push_delay_minutes !== undefined && { pushDelayMinutes: push_delay_minutes }),
        ...(quiet_hours !== undefined && { quietHours: quiet_hours }),
        ...(time_zone !== undefined && { timeZone: time_zone }),
        ...(notices !== undefined && { notices }),
        ...(shows_presence !== undefined && { showsPresence: shows_presence }),
      }
      const store = () => services.database.notifications.change(caller, change, databaseClock.now())
      const settings = email ? await setAddress(services, slot, caller, email, store) : await store()
      if (shows_presence !== undefined) announcePresence(services, caller)
      return presentNotifications(settings, services)
    }),

  subscribe: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/actors/me/notifications/channels',
      tags: ['Inbox', 'Extensions'],
      summary: 'Send notifications to a browser',
      description:
        "`endpoint` and `keys` (`p256dh`, `auth`) are those of a browser's push subscription. The same endpoint " +
        'again replaces `keys` and `name`.',
      returns: 'channel',
      errors: [409],
      idempotent: true,
      example: {
        endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/7f3a',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        name: 'Firefox on Linux',
      },
    })
    .input(Subscribe)
    .output(Channel)
    .mutation(async ({ ctx: { caller, services, slot }, input }) => {
      const { pusher } = services
      if (!pusher) throw noServerKey('Notifications in browsers')
      const endpoint = pushEndpoint(input.endpoint)
      const hosts = await allowedHosts(services, caller)
      await elsewhere(services, slot, () => pusher.requireAllowed(endpoint, hosts))
      const subscription = { endpoint: endpoint.href, keys: input.keys, name: input.name }
      return presentChannel(await services.database.notifications.subscribe(caller, subscription, databaseClock.now()))
    }),

  reportPresence: procedure
    .meta({
      caller: 'human',
      // Callers who may read may say that they look.
      scope: 'read',
      cost: 'change',
      route: 'PUT /api/actors/me/presence',
      tags: ['Inbox', 'Extensions'],
      summary: 'Report whether a view of the page is visible',
      description:
        'For two minutes, or until the same `view` is reported as hidden, the caller is present: its browsers get no ' +
        'notifications, and participants of its spaces see `is_present`, unless `shows_presence` is off.',
      idempotent: true,
      example: { view: 'd7c0f1b2', visible: true },
    })
    .input(ReportPresence)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { view, visible } }) => {
      if (await services.database.notifications.report(caller, view, visible)) announcePresence(services, caller)
      return { ok: true as const }
    }),

  removeChannel: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/actors/me/notifications/channels/{channel_id}',
      tags: ['Inbox', 'Extensions'],
      summary: 'Remove a notification channel',
      alwaysWorks: true,
    })
    .input(ChannelId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { channel_id } }) => {
      await services.database.notifications.end(caller, channel_id)
      return { ok: true as const }
    }),
})

/** Others see that the caller came or went, whichever server they are connected to. */
const announcePresence = ({ database }: Services, { tenantId, actorId }: Caller) =>
  database.bus.publish({ kind: 'presence', tenantId, actorId })

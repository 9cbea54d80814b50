import { askToVerify, requireMailer } from '../mail.js'
import { presentNotifications } from '../presenters/notification.js'
import { procedure, router } from '../procedure/trpc.js'
import { ChangeNotifications, Notifications } from '../schemas/notification.js'
import { elsewhere } from '../webhooks.js'

/** How a human who is away is told of what waits. */
export const notificationRouter = router({
  get: procedure
    .meta({
      caller: 'human',
      scope: 'read',
      cost: 'row',
      openapi: {
        method: 'GET',
        path: '/api/actors/me/notifications',
        tags: ['Inbox', 'Extensions'],
        summary: 'Get how the caller is told of what waits while they are away',
      },
    })
    .output(Notifications)
    .query(async ({ ctx: { caller, services } }) =>
      presentNotifications(await services.database.notifications.read(caller)),
    ),

  set: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      openapi: {
        method: 'PUT',
        path: '/api/actors/me/notifications',
        tags: ['Inbox', 'Extensions'],
        summary: 'Set how the caller is told of what waits while they are away',
        description:
          'What is left out stays as it is. An e-mail address that is not verified is sent a link; set it again for ' +
          'another link.',
        errorResponses: [409],
      },
      example: { delay_minutes: 30, quiet_hours: { from: '22:00', until: '07:00' }, time_zone: 'Europe/Berlin' },
    })
    .input(ChangeNotifications)
    .output(Notifications)
    .mutation(async ({ ctx: { caller, services, slot }, input }) => {
      const { email, delay_minutes, quiet_hours, time_zone } = input
      if (email) requireMailer(services)
      const change = {
        ...(email !== undefined && { email }),
        ...(delay_minutes !== undefined && { delayMinutes: delay_minutes }),
        ...(quiet_hours !== undefined && { quietHours: quiet_hours }),
        ...(time_zone !== undefined && { timeZone: time_zone }),
      }
      const settings = await services.database.notifications.change(caller, change, new Date())
      if (email) await elsewhere(services, slot, () => askToVerify(services, caller, settings))
      return presentNotifications(settings)
    }),
})

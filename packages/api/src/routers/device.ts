import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import {
  cutText,
  DEVICE_INTERVAL_S,
  forbidden,
  NO_LIMITS,
  requireWithin,
  SIGN_IN_MS,
  shownUserCode,
  signInFailed,
  typedUserCode,
  unknown,
  userCode,
} from '@collab-spaces/domain'
import { presentDevice, presentSignedIn } from '../presenters/sign-in.js'
import { hashOf } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import {
  AnswerDevice,
  BeginDevice,
  BegunDevice,
  Device,
  PollDevice,
  PolledDevice,
  UserCode,
} from '../schemas/sign-in.js'
import { countingFailures, redeemSession, sessionCode } from '../sign-in/session.js'

/** Authorization of commands on machines without a browser. */
export const deviceRouter = router({
  begin: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/devices',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Request authorization of a command by a human in a browser',
      description: 'Too many pending: 429.',
      returns: '`device_code`, `user_code`, `verification_url`, `expires_in`, `interval`',
      example: { name: 'laptop' },
    })
    .input(BeginDevice)
    .output(BegunDevice)
    .mutation(async ({ ctx: { services, address }, input: { name } }) => {
      const { signIn, database } = services
      // Without them, no human could authorize it.
      void signIn.seals
      const deviceCode = randomBytes(32).toString('base64url')
      const [code, now] = [userCode(randomBytes), databaseClock.now()]
      await database.deviceCodes.create({
        deviceHash: hashOf(deviceCode),
        userCode: code,
        name,
        address: address(),
        createdAt: now,
        expiresAt: new Date(now.getTime() + SIGN_IN_MS.device),
      })
      return {
        device_code: deviceCode,
        user_code: shownUserCode(code),
        verification_url: new URL('/device', signIn.site()).href,
        expires_in: SIGN_IN_MS.device / 1_000,
        interval: DEVICE_INTERVAL_S,
      }
    }),

  poll: procedure
    .meta({
      caller: 'none',
      scope: 'account',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/devices/poll',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Poll for the authorization of a command',
      returns: '`status`: `pending`, or once `signed_in` with the fields of SignedIn; 403 once refused or too late',
      example: { device_code: 'the code of a device' },
    })
    .input(PollDevice)
    .output(PolledDevice)
    .mutation(({ ctx, input: { device_code } }) =>
      countingFailures(ctx, async () => {
        const { deviceCodes } = ctx.services.database
        const [deviceHash, now] = [hashOf(device_code), databaseClock.now()]
        const device = await deviceCodes.poll(deviceHash, now)
        if (!device) throw signInFailed()
        if (device.answer === null) return PENDING
        if (device.answer === '') {
          await deviceCodes.forget(deviceHash)
          throw forbidden('Authorization of this command was refused')
        }
        // Forgotten only afterwards, so that a poll can be repeated until it has signed in.
        const { token, signedIn } = await redeemSession(ctx, device.answer, null, now)
        await deviceCodes.forget(deviceHash)
        return { status: 'signed_in' as const, ...presentSignedIn(signedIn, token) }
      }),
    ),

  get: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/devices/{user_code}',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Get a command that requests authorization, by its user code',
      returns: '`user_code`, `name`, `address`, `created_at`, `expires_at`',
    })
    .input(UserCode)
    .output(Device)
    .query(({ ctx, input: { user_code } }) =>
      countingFailures(ctx, async () => {
        const device = await ctx.services.database.deviceCodes.find(typedUserCode(user_code), databaseClock.now())
        if (!device) throw unknown('Code')
        return presentDevice(device)
      }),
    ),

  answer: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/devices/{user_code}',
      tags: ['Sign-in', 'Extensions'],
      summary: 'Authorize a command as the caller, or refuse it',
      example: { allow: true },
    })
    .input(AnswerDevice)
    .output(Done)
    .mutation(({ ctx, input: { user_code, allow } }) =>
      countingFailures(ctx, async () => {
        const { caller, services } = ctx
        requireWithin(NO_LIMITS, caller.limits)
        const [code, now] = [typedUserCode(user_code), databaseClock.now()]
        const device = await services.database.deviceCodes.find(code, now)
        if (!device) throw unknown('Code')
        const confirmation = { challenge: null, name: cutText(device.name, 64), way: 'device' } as const
        const answer = allow ? sessionCode(services, caller, confirmation, now) : ''
        await services.database.deviceCodes.answer(code, answer, now)
        return { ok: true }
      }),
    ),
})

const PENDING = { status: 'pending' as const, token: null, actor: null, credential_id: null, expires_at: null }

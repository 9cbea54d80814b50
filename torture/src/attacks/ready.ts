import { send } from '../service/http.js'
import type { Attack } from './attack.js'
import { loop } from './loop.js'

export const ready: Attack = {
  name: 'checks of /ready and invalid credentials, at full speed',
  begin: ({ url }) => loop(30, (n) => send(url, { path: n % 2 ? '/ready' : '/api/actors/me', key: `svc_${n}` })),
}

// German addresses the reader with "du". Its words: Space, Thread, Agent, Token and Webhook as in English; decision:
// Entscheidung, resolve: beschließen, reject: ablehnen, approval: Zustimmung, inbox: Eingang, notice: Hinweis,
// participant: Teilnehmer, policy: Regeln, credential: Zugang, key: Schlüssel, loop guard: Schleifenschutz.
import type { Texts } from '../translation'
import * as activity from './activity'
import * as actor from './actor'
import * as agent from './agent'
import * as composer from './composer'
import * as connect from './connect'
import * as credential from './credential'
import * as decision from './decision'
import * as file from './file'
import * as guide from './guide'
import * as history from './history'
import * as home from './home'
import * as inbox from './inbox'
import * as incoming from './incoming'
import * as link from './link'
import * as menu from './menu'
import * as notification from './notification'
import * as participant from './participant'
import * as picture from './picture'
import * as policy from './policy'
import * as reaction from './reaction'
import * as search from './search'
import * as session from './session'
import * as shared from './shared'
import * as space from './space'
import * as summary from './summary'
import * as tenant from './tenant'
import * as thread from './thread'
import * as webhook from './webhook'

export const german: Texts = {
  activity,
  actor,
  agent,
  composer,
  connect,
  credential,
  decision,
  file,
  guide,
  history,
  home,
  inbox,
  incoming,
  link,
  menu,
  notification,
  participant,
  picture,
  policy,
  reaction,
  search,
  session,
  shared,
  space,
  summary,
  tenant,
  thread,
  webhook,
}

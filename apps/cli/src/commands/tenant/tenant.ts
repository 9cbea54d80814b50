import { nounWith } from '../../command.js'
import { create } from './create.js'
import { disableMember } from './disable-member.js'
import { enableMember } from './enable-member.js'
import { leave } from './leave.js'
import { members } from './members.js'
import { policy } from './policy.js'
import { privateSpaces } from './private-spaces.js'
import { promote } from './promote.js'
import { removeMember } from './remove-member.js'
import { setAccess } from './set-access.js'
import { show } from './show.js'

const verbs = [create, show, members, privateSpaces, policy, promote, setAccess]
export const define = nounWith(...verbs, disableMember, enableMember, removeMember, leave)

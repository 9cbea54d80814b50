import { nounWith } from '../../command.js'
import { create } from './create.js'
import { leave } from './leave.js'
import { disableMember, enableMember, removeMember } from './member.js'
import { members } from './members.js'
import { policy } from './policy.js'
import { privateSpaces } from './private-spaces.js'
import { promote } from './promote.js'
import { setAccess } from './set-access.js'
import { show } from './show.js'

const verbs = [create, show, members, privateSpaces, policy, promote, setAccess]
export const define = nounWith(...verbs, disableMember, enableMember, removeMember, leave)

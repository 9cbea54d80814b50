import { nounWith } from '../../command.js'
import { connect } from './connect.js'
import { deleteAgent } from './delete.js'
import { edit } from './edit.js'
import { invite, invites, uninvite } from './invitation.js'
import { join } from './join.js'
import { list } from './list.js'
import { register } from './register.js'
import { release } from './release.js'
import { rotateKey } from './rotate-key.js'
import { run } from './run.js'
import { show } from './show.js'
import { startAgent } from './start.js'
import { stop } from './stop.js'

const own = [list, show, register, edit, stop, startAgent, connect, release, rotateKey, deleteAgent]

export const define = nounWith(...own, invite, invites, uninvite, join, run)

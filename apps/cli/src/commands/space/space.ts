import { nounWith } from '../../command.js'
import { archive, unarchive } from './archive.js'
import { create } from './create.js'
import { edit } from './edit.js'
import { list } from './list.js'
import { join, leave } from './membership.js'
import { notices } from './notices.js'
import { participants } from './participants.js'
import { pause, resume } from './pause.js'
import { pin, unpin } from './pin.js'
import { seen } from './seen.js'
import { show } from './show.js'

const verbs = [list, create, show, edit, pause, resume, archive, unarchive, join, leave, participants, seen]

export const define = nounWith(...verbs, pin, unpin, notices)

import { FairLane } from '@collab-spaces/db'

/** The names of a large space take 10 MB while texts are compared with them: few at a time. */
const TURNS = { width: 4, mostOfActor: 2, maxWaitMs: 5_000 }

/** Where requests whose texts call somebody wait for their turn. */
export type MentionTurns = FairLane
export const openMentionTurns = (): MentionTurns => new FairLane(TURNS)

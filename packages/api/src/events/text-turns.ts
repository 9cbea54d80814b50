import { FairLane } from '@collab-spaces/db'

/** The names of a large space take 10 MB while texts are compared with them, and others wait while a long text is formed. */
const TURNS = { width: 4, mostOfActor: 2, maxWaitMs: 5_000 }

/** Where requests wait for their turn whose texts take long to read: those that call somebody, and long ones. */
export type TextTurns = FairLane
export const openTextTurns = (): TextTurns => new FairLane(TURNS)

import { Cleanup } from '@collab-spaces/testing/programs'

/** The cleanup at the end of the bench. */
export const cleanup = new Cleanup()

import type { AppRouter } from '@collab-spaces/api'
import type { AnyTRPCMutationProcedure, inferProcedureInput } from '@trpc/server'

type Nouns = AppRouter['_def']['record']

/** Mutations as links see them, such as `space.create`: those whose input has the field, or all of them. */
type PathOf<Field extends string> = {
  [Noun in keyof Nouns & string]: {
    [Verb in keyof Nouns[Noun] & string]: Nouns[Noun][Verb] extends AnyTRPCMutationProcedure
      ? [Field] extends [keyof inferProcedureInput<Nouns[Noun][Verb]>]
        ? `${Noun}.${Verb}`
        : never
      : never
  }[keyof Nouns[Noun] & string]
}[keyof Nouns & string]

export type MutationPath = PathOf<never>

/** Those that take an idempotency key. */
export type KeyedPath = PathOf<'idempotency_key'>

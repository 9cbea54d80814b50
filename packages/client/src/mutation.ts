import type { AnyTRPCMutationProcedure } from '@trpc/server'
import type { AppRouter, RouterInputs } from './router.js'

type Nouns = AppRouter['_def']['record']

/** The path of a mutation, such as `space.create`. */
export type MutationPath = {
  [Noun in keyof Nouns & string]: {
    [Verb in keyof Nouns[Noun] & string]: Nouns[Noun][Verb] extends AnyTRPCMutationProcedure ? `${Noun}.${Verb}` : never
  }[keyof Nouns[Noun] & string]
}[keyof Nouns & string]

/** The path of a mutation that takes an idempotency key, or a list of items that take one each. */
export type KeyedPath = { [Path in MutationPath]: TakesKey<InputOf<Path>> extends true ? Path : never }[MutationPath]

type InputOf<Path> = Path extends `${infer Noun extends keyof Nouns}.${infer Verb}`
  ? Verb extends keyof RouterInputs[Noun]
    ? RouterInputs[Noun][Verb]
    : never
  : never

type TakesKey<Input> = 'idempotency_key' extends keyof Input
  ? true
  : true extends {
        [Field in keyof Input]: Input[Field] extends readonly (infer Item)[] ? TakesKey<Item> : false
      }[keyof Input]
    ? true
    : false

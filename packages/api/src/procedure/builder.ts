import type { Slot } from '@collab-spaces/fair'
import type {
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
  TrackedEnvelope,
} from '@trpc/server'
import type { z } from 'zod'
import type { CallerOf, CallerRule } from './caller.js'
import type { Context } from './context.js'
import type { Download } from './download.js'
import type { Meta } from './meta.js'
import type { RenderedOutput } from './output.js'

/**
 * The supported part of tRPC's procedure builder: meta, one input, the output, the resolver, in this order. tRPC's own type
 * would also offer `use`, `concat` and a second `input`, which would compile and never run, as `perform` calls the
 * procedures.
 */
export interface ProcedureBuilder {
  meta<const Rule extends CallerRule>(meta: Meta<Rule>): WithMeta<CallerOf<Rule>>
}

interface WithMeta<Caller> extends WithInput<Caller, void, undefined> {
  input<Schema extends z.ZodObject>(schema: Schema): WithInput<Caller, CallInput<z.input<Schema>>, z.output<Schema>>
}

/** The input of a call: void if no field is required. */
// biome-ignore lint/suspicious/noConfusingVoidType: makes a call without arguments compile
type CallInput<In> = object extends In ? In | void : In

interface WithInput<Caller, In, Parsed> {
  /** Checked by the compiler, and part of the document. Only tests parse outputs. */
  output<Schema extends z.ZodType>(schema: Schema): Complete<Caller, In, Parsed, z.output<Schema>>
  /** A tracked item carries its ID, from which a client resumes. */
  subscription<Item>(
    work: Work<Caller, Parsed, AsyncIterable<Item>>,
  ): TRPCSubscriptionProcedure<
    Built<In, AsyncIterable<Item extends TrackedEnvelope<infer Data> ? { id: string; data: Data } : ExpandedType<Item>>>
  >
}

interface Complete<Caller, In, Parsed, Out> {
  query(work: Work<Caller, Parsed, Out | RenderedOutput<Out> | Download>): TRPCQueryProcedure<Built<In, Out>>
  mutation(work: Work<Caller, Parsed, Out | RenderedOutput<Out>>): TRPCMutationProcedure<Built<In, Out>>
}

/** Expands a type, as clients have none of its names. */
type ExpandedType<T> = T extends object ? { [Field in keyof T]: ExpandedType<T[Field]> } : T

/** A built procedure, as clients infer their calls from it. */
export interface Built<In, Out> {
  input: In
  output: Out
  meta: object
}

/** The resolver of a procedure, after its caller and input were checked. */
type Work<Caller, Input, Out> = (call: {
  readonly ctx: Pick<Context, 'services' | 'address' | 'isForeignPage' | 'isHead' | 'upload'> & {
    readonly caller: Caller
    readonly slot: Slot
  }
  readonly input: Input
  readonly signal: AbortSignal | undefined
}) => Promise<Out>

/**
 * Words that a reader has to translate, with the ones to use instead (`docs/glossary.md`). `allowed` is how often a word may
 * still stand in source and documents, such as in data of tests.
 */

/** Pronouns that hide a role. Counted together; in quotes, they name something, such as the account `nobody`. */
export const PRONOUNS = {
  pattern: /(?<![`'"*])\b(?:somebody|nobody|whoever|whom|anybody|everybody|anyone else)\b(?![`'"*:])/gi,
  instead: 'the role: the caller, the holder, a recipient, another member, the operator',
}

/** Identifiers with a standard name. */
export const IDENTIFIERS = new Map(
  Object.entries({
    MOST_: 'MAX_',
    Attendant: 'SignalListener',
    Begun: 'Pending…',
    Claimant: 'SlotRequest',
    Lookout: 'DueScanner',
    PageToCome: 'PageSkeleton',
    Payer: 'FairKey',
    ScopedActor: 'TenantActor',
    WaitingRoom: 'LongPollQueue',
    WritingPlace: 'ComposerGate',
    complain: 'toastError',
    handedOut: 'deliveries',
    isInVain: 'isStale',
    mostOf: 'max…',
    suffer: 'injectFault',
    tellHuman: 'notifySponsor',
    unsaid: 'unsent',
    useBeside: 'usePanel',
    useGoneFocus: 'useFocusRestore',
    useWayTo: 'useInitialPosition',
  }),
)

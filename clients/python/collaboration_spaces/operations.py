# mypy: disable-error-code="no-any-return"
"""The operations of the service. Written by generate.py from /openapi.json: do not edit."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union

from .transport import OMITTED, Operation, Transport


class ActionEdit(TypedDict):
    arguments: Dict[str, Any]
    digest: str


class _ActiveThread(TypedDict):
    thread_id: str
    space_id: str
    #: The event that it is about; null for one about a decision
    parent_event_id: Optional[str]
    subject: str
    created_at: str
    event_count: int
    last_event: Optional[ActiveThreadLastEvent]


class ActiveThread(_ActiveThread, total=False):
    #: The decision that it is about
    decision_id: str


class _ActiveThreadLastEvent(TypedDict):
    event_id: str
    speaker_id: str
    speaker_name: str
    speaker_type: str
    #: The authenticated actor that sent it
    posted_by: str
    #: Its name when it sent it
    posted_by_name: str
    #: Whether it is a human or an agent, whatever the speaker
    posted_by_type: Literal["human", "agent"]
    timestamp: str
    #: The first 200 characters of its text
    excerpt: str


class ActiveThreadLastEvent(_ActiveThreadLastEvent, total=False):
    #: Only if it has any that are not deleted
    files: List[EventFile]


class Activity(TypedDict):
    space_id: str
    since: str
    participants: List[ActivityParticipants]


class _ActivityParticipants(TypedDict):
    participant_id: str
    name: str
    participant_type: str
    #: Whether the name and type are only what another actor said, of a speaker who has not joined
    is_claimed: bool
    event_count: int
    last_event_at: Optional[str]
    events: List[Event]


class ActivityParticipants(_ActivityParticipants, total=False):
    #: If asked for: how many events there were in each part of the time, oldest first
    buckets: List[int]


class Actor(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    email: Optional[str]
    default_space_id: Optional[str]
    sponsor_id: Optional[str]
    tenant_id: Optional[str]
    agent_profile: Optional[str]
    #: What it does, in one line
    title: Optional[str]
    #: A name of the IANA database
    time_zone: Optional[str]
    #: The SHA-256 of its picture, if it has one
    picture: Optional[str]
    metadata: Optional[Dict[str, Any]]
    created_at: str
    #: The installation an agent is connected to
    connection: Optional[Connection]
    #: Set while an agent may only read
    stopped: Optional[Stopped]


class ActorCard(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: Null if it has none, or none in this tenant
    sponsor_name: Optional[str]
    #: For the agent and its sponsor; null for others
    agent_profile: Optional[str]
    #: What it does, in one line
    title: Optional[str]
    #: A name of the IANA database
    time_zone: Optional[str]
    #: The SHA-256 of its picture, if it has one
    picture: Optional[str]
    is_admin: bool
    is_disabled: bool
    agent_adapter: Optional[str]
    connected_at: Optional[str]
    created_at: str
    #: Set while an agent may only read
    stopped: Optional[Stopped]
    #: When it was last heard of, to the minute. Null if never, and in the shared tenant for actors of another human
    last_seen_at: Optional[str]
    #: Whether it is a human who looks at the page now and shows it, to actors with a space in common
    is_present: bool
    #: Ids of spaces that both have joined; at most 100
    common_spaces: List[str]
    #: What it works on in spaces that the caller reads; the newest first, at most 20
    claims: List[WorkClaim]


class ActorWithKey(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    email: Optional[str]
    default_space_id: Optional[str]
    sponsor_id: Optional[str]
    tenant_id: Optional[str]
    agent_profile: Optional[str]
    #: What it does, in one line
    title: Optional[str]
    #: A name of the IANA database
    time_zone: Optional[str]
    #: The SHA-256 of its picture, if it has one
    picture: Optional[str]
    metadata: Optional[Dict[str, Any]]
    created_at: str
    #: The installation an agent is connected to
    connection: Optional[Connection]
    #: Set while an agent may only read
    stopped: Optional[Stopped]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]
    #: Plaintext, shown only once
    api_key: str


class AddedPasskey(TypedDict):
    credential_id: str
    name: str


class AgentCode(TypedDict):
    code_id: str
    display_name: str
    agent_profile: Optional[str]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    key_expires_at: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    redeemed_at: Optional[str]
    #: The agent, once there is one
    agent_id: Optional[str]


class Approvals(TypedDict):
    required: int
    #: How many count
    given: int
    #: The actors that approve, in the order in which they did
    by: List[str]
    #: Those of them whose approval does not count, and why
    not_counted: List[UncountedApproval]


class AuditEntry(TypedDict):
    entry_id: str
    action: AuditEntryAction
    #: Who did it; null for the operator
    actor_id: Optional[str]
    #: `api_key`, the id of a personal access token, or `operator`; null where none is needed
    credential_id: Optional[str]
    #: Where from: an IPv4 address or an IPv6 network; null for the machine of the server
    address: Optional[str]
    #: What it was done to: the id of an actor, a token, an invite, a tenant, a space, or whatever the action names
    subject_id: str
    #: What else there is to say: of a change, the values `before` and `after` it; of what the operator did, who that
    #: is, in `operator`
    details: Optional[Dict[str, Any]]
    tenant_id: Optional[str]
    created_at: str


class BegunDevice(TypedDict):
    #: For the command alone
    device_code: str
    #: For a human to type on the page
    user_code: str
    verification_url: str
    expires_in: int
    #: Seconds between two questions
    interval: int


class BegunOidc(TypedDict):
    #: Where to send the browser
    url: str


class Block(TypedDict):
    actor_id: str
    name: str
    created_at: str


class Checkpoint(TypedDict):
    #: The name of the log: of its tenant, space, tree and epoch
    origin: str
    #: How often the operator has begun the log anew, from 1
    epoch: int
    #: How many entries are sealed: those up to this position
    size: int
    #: SHA-256 in base64
    root: str
    #: All of the above, as a signed note (C2SP tlog-checkpoint)
    checkpoint: str
    #: The public key, in the form of signed notes; also at `/log/keys`
    key: str
    sealed_at: Optional[str]


class Connected(TypedDict):
    agent_id: str
    status: Literal["connected"]
    installation_id: str
    connected_at: str


class Connection(TypedDict):
    installation_id: str
    agent_adapter: Optional[str]
    connected_at: str


ConsistencyProof = TypedDict("ConsistencyProof", {"from": "int", "to": "int", "proof": "List[str]"})


class Context(TypedDict):
    #: Markdown; what participants wrote stands between tags
    text: str
    #: Tokens of the text, estimated rather high
    used: int
    budget: int
    #: What estimated them
    estimator: str
    #: In the order of the text
    sections: List[ContextSections]
    #: What lies before the newest events; a page of it: `before` the first one that is shown
    omitted: ContextOmitted
    #: Event id: the newest event. Continue with `events?since=`
    cursor: Optional[str]


ContextOmitted = TypedDict("ContextOmitted", {"events": "int", "from": "Optional[str]", "to": "Optional[str]"})


class ContextSections(TypedDict):
    name: ContextSectionsName
    tokens: int
    #: How many decisions or events it shows, or summarizes
    items: int


class CreatedAgentCode(TypedDict):
    code_id: str
    display_name: str
    agent_profile: Optional[str]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    key_expires_at: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    redeemed_at: Optional[str]
    #: The agent, once there is one
    agent_id: Optional[str]
    #: Plaintext, shown only once
    code: str


class CreatedInvite(TypedDict):
    invite_id: str
    email: Optional[str]
    default_space_id: Optional[str]
    access: Literal["all", "named"]
    created_by: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    redeemed_at: Optional[str]
    #: Plaintext, shown only once
    code: str
    #: The address of the page that redeems the code
    url: str
    #: Whether the mail server accepted the invitation
    sent: bool


class CreatedPersonalAccessToken(TypedDict):
    pat_id: str
    name: str
    token_prefix: str
    created_at: str
    last_used_at: Optional[str]
    revoked_at: Optional[str]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]
    #: Plaintext, shown only once
    token: str


class CreatedSpace(TypedDict):
    space_id: str
    status: CreatedSpaceStatus


class CreatedSpaceStatus(TypedDict):
    status: Literal["active", "paused", "archived"]


class _CreatedTenant(TypedDict):
    tenant_id: str
    name: str
    schema_name: str
    status: Literal["active", "suspended"]
    created_at: str


class CreatedTenant(_CreatedTenant, total=False):
    #: With `bring_spaces`: the spaces that moved and those that stayed
    spaces: SpaceMove


class Credential(TypedDict):
    actor_id: str
    #: `api_key`, or the id of a token, session or grant
    credential_id: str
    #: `session`: of a signed-in human; `grant`: given to a program
    kind: Literal["api_key", "token", "session", "grant", "passkey", "identity"]
    name: Optional[str]
    created_at: str
    #: The credential that it was made with; null if there was none
    created_with: Optional[CredentialCreatedWith]
    #: Of a token; not recorded of the key
    last_used_at: Optional[str]
    revoked_at: Optional[str]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]
    #: What ends if it is revoked
    ends: Ended
    #: Of the key, what ends if it is rotated with `revoke_tokens`; null of a token
    everything: Optional[Ended]


class CredentialCreatedWith(TypedDict):
    actor_id: str
    credential_id: str


class _Decision(TypedDict):
    decision_id: str
    space_id: str
    proposed_by: str
    text: str
    status: Literal["proposed", "resolved", "rejected"]
    resolved_by: Optional[str]
    resolved_at: Optional[str]
    resolution: Optional[str]
    created_at: str
    #: The authenticated actor that proposed it
    posted_by: str
    #: The authenticated actor that settled it
    settled_by: Optional[str]
    #: The actors that are asked to settle it
    assignees: List[str]
    #: The decision whose place it takes when it is resolved
    supersedes: Optional[str]
    #: The resolved decision that took its place
    superseded_by: Optional[str]
    #: When it should be looked at again
    review_at: Optional[str]
    #: The thread in which it is discussed
    thread_id: Optional[str]
    approvals: Approvals
    #: The rules of the space when it was proposed, which hold beside those of now
    rules_at_proposal: SettleRules


class Decision(_Decision, total=False):
    #: The answers that it offers; one that denies permits nothing
    options: List[DecisionOption]
    #: The id of the chosen option
    option: Optional[str]
    action: DecisionAction
    edit: Optional[ActionEdit]
    #: The actor that used its action
    used_by: Optional[str]
    used_at: Optional[str]
    expires_at: str
    #: Whether its time has passed before it was resolved, or before its action was used
    is_expired: bool


class DecisionAction(TypedDict):
    type: str
    title: Optional[str]
    arguments: Dict[str, Any]
    #: `sha-256:` and the hash of the canonical JSON of `{type, arguments}`
    digest: str
    #: Whether the resolver may replace its arguments
    editable: bool
    #: Actors that may use it besides the proposer and its sponsor
    used_by: List[str]


class DecisionCounts(TypedDict):
    proposed: int
    resolved: int
    rejected: int


class DecisionMatch(TypedDict):
    decision_id: str
    space_id: str
    #: At most the first 1,000 characters
    text: str
    status: Literal["proposed", "resolved", "rejected"]
    #: At most the first 1,000 characters
    resolution: Optional[str]
    created_at: str
    resolved_at: Optional[str]
    proposed_by: str
    posted_by: str
    resolved_by: Optional[str]
    settled_by: Optional[str]
    superseded_by: Optional[str]


class DecisionOption(TypedDict):
    description: Optional[str]
    id: str
    label: str
    denies: bool


class _DecisionProposeAction(TypedDict):
    #: Such as `deploy` or `github.merge`
    type: str
    arguments: Dict[str, Any]


class DecisionProposeAction(_DecisionProposeAction, total=False):
    title: Optional[str]
    #: Refused if it is not that of the action
    digest: Optional[str]
    #: Whether the resolver may replace the arguments
    editable: Optional[bool]
    #: Actors that may use it besides the proposer and its sponsor
    used_by: Optional[List[str]]


class _DecisionProposeOptions(TypedDict):
    id: str
    label: str


class DecisionProposeOptions(_DecisionProposeOptions, total=False):
    description: Optional[str]
    #: Whether it permits nothing
    denies: Optional[bool]


class DecisionUse(TypedDict):
    decision: Decision
    used_at: str
    #: When the proof of its log has the use; null if the server seals no histories
    receipt_ready_after: Optional[str]


class Device(TypedDict):
    user_code: str
    name: str
    #: Where from it asks; null for the machine of the server
    address: Optional[str]
    created_at: str
    expires_at: str


class Disabled(TypedDict):
    actor_id: str
    disabled: bool
    #: The actor and its agents, as far as that changed something
    changed: List[str]


class Done(TypedDict):
    ok: Literal[True]


class Ended(TypedDict):
    count: int
    #: The oldest 100
    items: List[Made]


class _Event(TypedDict):
    event_id: str
    space_id: str
    speaker_id: str
    speaker_name: str
    speaker_type: str
    text: str
    timestamp: str
    parent_event_id: Optional[str]
    references: List[str]
    thread_id: Optional[str]
    metadata: Optional[Dict[str, Any]]
    #: The authenticated actor that sent it
    posted_by: str
    #: Its name when it sent it
    posted_by_name: str
    #: Whether it is a human or an agent, whatever the speaker
    posted_by_type: Literal["human", "agent"]


class Event(_Event, total=False):
    #: Only of a correction: the event that it corrects
    corrects: str
    #: Only of a retraction: the retracted event
    retracts: str
    #: Only of an event of earlier: when it happened, as its poster claims
    occurred_at: str
    #: Only if it has any
    files: List[EventFile]
    #: Only if files of it were deleted: their ids
    deleted_files: List[str]
    #: Only if the operator has erased its text
    redacted_at: str
    #: Only if it was corrected: its newest correction. `text` stays as it was sent
    corrected_by: str
    #: With `corrected_by`: its time
    corrected_at: str
    #: With `corrected_by`: the newest text
    current_text: str
    #: Only if it was retracted: by this event. `text` stays: it is no erasure
    retracted_by: str
    #: Only if it has any, in pages of the history and of mentions, threads and transcripts
    reactions: List[Reaction]


class _EventAppendBatchEvents(TypedDict):
    text: str
    speaker_id: str
    speaker_name: str


class EventAppendBatchEvents(_EventAppendBatchEvents, total=False):
    #: The thread to post in
    thread_id: Optional[str]
    metadata: Optional[Dict[str, Any]]
    #: Files of the space that the caller has uploaded, and no event names yet
    file_ids: Optional[List[str]]
    #: Also mention each participant that `@Name` in the text uniquely identifies
    mentions_from_text: Optional[bool]
    #: An own event whose text this one replaces for readers, in its thread
    corrects: Optional[str]
    #: An own event that this one retracts, with the reason as `text`. Nothing is erased
    retracts: Optional[str]
    #: When it happened, of an event of earlier. A claim, which changes no order
    occurred_at: Optional[str]
    idempotency_key: Optional[str]
    #: The claim that it is done with: 409 once it is no longer yours, and nothing is done
    claim: Optional[HeldClaim]
    #: The event it replies to
    parent_event_id: Optional[str]
    speaker_type: Optional[str]
    references: Optional[List[str]]


class EventFile(TypedDict):
    file_id: str
    name: str
    #: As its sender named it
    content_type: str
    #: In bytes
    size: int
    #: The SHA-256 of the bytes, in hexadecimal
    sha256: str


class EventReceipts(TypedDict):
    event_id: str
    #: By `actor_id`
    receipts: List[Receipt]


class File(TypedDict):
    file_id: str
    space_id: str
    name: str
    #: As its sender named it
    content_type: str
    #: In bytes
    size: int
    sha256: Optional[str]
    uploaded_by: str
    #: The event that names it
    event_id: Optional[str]
    created_at: str
    deleted_at: Optional[str]


class FileMatch(TypedDict):
    file_id: str
    name: str
    #: Of its text; null if only its name matches
    snippet: Optional[str]


class FileTicket(TypedDict):
    ticket: str
    #: Until when it opens the file
    expires_at: str


class HeldClaim(TypedDict):
    #: The claim
    claim_id: str
    #: Its fence
    fence: int


class _Inbox(TypedDict):
    counts: InboxCounts
    items: List[InboxItem]
    #: Open ones that wait for the caller
    decisions: List[Decision]
    notices: List[Notice]
    #: Whether there are more items than these
    more: bool
    #: Sent back, it marks all of these items as done, and the notices that the credential may dismiss
    done: InboxDone
    #: When the next snoozed item, decision or notice comes back by time; null for never, and for agents
    next_snooze_at: Optional[str]
    #: Set while an agent may only read
    stopped: Optional[Stopped]


class Inbox(_Inbox, total=False):
    #: With `snoozed`: when each event, decision and notice comes back by time, by its id; null for never
    snoozed_until: Dict[str, Optional[str]]


class InboxCounts(TypedDict):
    #: All items, up to 1,000
    unread: int
    decisions: int
    notices: int


class InboxDone(TypedDict):
    through: List[Place]
    notices: List[str]


class InboxItem(TypedDict):
    space_id: str
    event: Event
    #: It mentions the caller, replies to an event that the caller posted, is in a thread that the caller takes part in,
    #: or is in a conversation of the caller
    kinds: List[Literal["mention", "reply", "thread", "direct"]]
    #: The live claim on it, if any
    claim: Optional[WorkClaim]
    #: Whether a human posted it, whatever its attribution
    from_human: bool


class InboxSnoozeDecisions(TypedDict):
    #: The space
    space_id: str
    #: The decision
    decision_id: str


class IncomingDelivery(TypedDict):
    received_at: str
    #: What it was, such as `pull_request.opened`
    kind: Optional[str]
    #: The sender's id of it; null if it sent none
    delivery_id: Optional[str]
    #: Of the answer
    status: int
    #: Null if nothing was posted
    event_id: Optional[str]
    #: Why it was refused
    error: Optional[str]


class IncomingWebhook(TypedDict):
    #: The id of the agent that it posts as, which was made for it
    incoming_webhook_id: str
    #: The name of the agent
    name: str
    #: The human who made it
    sponsor_id: Optional[str]
    space_id: str
    format: Literal["json", "slack", "standard", "github"]
    template: Optional[str]
    #: Logins of `github`, or users of `slack`: actors
    people: Dict[str, str]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]


class IncomingWebhookDetails(TypedDict):
    #: The id of the agent that it posts as, which was made for it
    incoming_webhook_id: str
    #: The name of the agent
    name: str
    #: The human who made it
    sponsor_id: Optional[str]
    space_id: str
    format: Literal["json", "slack", "standard", "github"]
    template: Optional[str]
    #: Logins of `github`, or users of `slack`: actors
    people: Dict[str, str]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]
    #: The last 20, the newest first
    deliveries: List[IncomingDelivery]


class IncomingWebhookWithSecret(TypedDict):
    #: The id of the agent that it posts as, which was made for it
    incoming_webhook_id: str
    #: The name of the agent
    name: str
    #: The human who made it
    sponsor_id: Optional[str]
    space_id: str
    format: Literal["json", "slack", "standard", "github"]
    template: Optional[str]
    #: Logins of `github`, or users of `slack`: actors
    people: Dict[str, str]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]
    #: Where to send; for `slack` with the secret in it
    url: str
    #: To sign with, or to send as a bearer token; shown only once
    secret: str


class Invite(TypedDict):
    invite_id: str
    email: Optional[str]
    default_space_id: Optional[str]
    access: Literal["all", "named"]
    created_by: Optional[str]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    redeemed_at: Optional[str]


class Link(TypedDict):
    link_id: str
    space_id: str
    target_id: Optional[str]
    target_uri: Optional[str]
    link_type: str
    attributes: Dict[str, Any]
    created_by: str
    created_at: str


class LogReceipt(TypedDict):
    format: Literal["collaboration-spaces-receipt"]
    version: Literal[1]
    subject: Literal["event", "decision", "audit_entry"]
    subject_id: str
    entries: List[ProvenEntry]
    #: The signed note that the proofs lead to
    checkpoint: str
    key: str
    #: A signature over all of the above
    seal: str


class LoopGuard(TypedDict):
    #: Events that all agents may post until a human does; 0 for any number
    total: int
    #: Events that each agent may post until then; 0 for any number
    per_agent: int


class Made(TypedDict):
    kind: MadeKind
    id: str
    #: Of an invite the address, of a webhook the host it leads to; the e-mail address of an identity or a notification
    #: channel for its owner only
    name: Optional[str]
    #: Whose it is; of an agent, its sponsor
    actor_id: str


class _Match(TypedDict):
    event_id: str
    space_id: str
    speaker_id: str
    speaker_name: str
    speaker_type: str
    text: str
    timestamp: str
    parent_event_id: Optional[str]
    references: List[str]
    thread_id: Optional[str]
    metadata: Optional[Dict[str, Any]]
    #: The authenticated actor that sent it
    posted_by: str
    #: Its name when it sent it
    posted_by_name: str
    #: Whether it is a human or an agent, whatever the speaker
    posted_by_type: Literal["human", "agent"]
    rank: float
    #: The text around the match, which is between « and »
    snippet: str


class Match(_Match, total=False):
    #: Only of a correction: the event that it corrects
    corrects: str
    #: Only of a retraction: the retracted event
    retracts: str
    #: Only of an event of earlier: when it happened, as its poster claims
    occurred_at: str
    #: Only if it has any
    files: List[EventFile]
    #: Only if files of it were deleted: their ids
    deleted_files: List[str]
    #: Only if the operator has erased its text
    redacted_at: str
    #: Only if it was corrected: its newest correction. `text` stays as it was sent
    corrected_by: str
    #: With `corrected_by`: its time
    corrected_at: str
    #: With `corrected_by`: the newest text
    current_text: str
    #: Only if it was retracted: by this event. `text` stays: it is no erasure
    retracted_by: str
    #: Only if it has any, in pages of the history and of mentions, threads and transcripts
    reactions: List[Reaction]
    #: If a file matches, and not the text
    matched_file: FileMatch


class Me(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    email: Optional[str]
    default_space_id: Optional[str]
    sponsor_id: Optional[str]
    tenant_id: Optional[str]
    agent_profile: Optional[str]
    #: What it does, in one line
    title: Optional[str]
    #: A name of the IANA database
    time_zone: Optional[str]
    #: The SHA-256 of its picture, if it has one
    picture: Optional[str]
    metadata: Optional[Dict[str, Any]]
    created_at: str
    #: The installation an agent is connected to
    connection: Optional[Connection]
    #: Set while an agent may only read
    stopped: Optional[Stopped]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]


class Member(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    is_admin: bool
    #: `named` of a guest, who sees only the spaces that it was added to, and the actors in them
    access: Literal["all", "named"]
    may_sponsor_agents: bool
    #: Set while an agent may only read
    stopped: Optional[Stopped]
    created_at: str
    #: Set while no credential of it works. `disabled_by` is the admin; null for the operator
    disabled: Optional[MemberDisabled]


class MemberDisabled(TypedDict):
    disabled_at: str
    disabled_by: Optional[str]


class Mentions(TypedDict):
    #: The identified participants: `name` is the text after the @
    mentions: List[MentionsMentions]
    #: Names that fit no participant, or several
    unclear: List[MentionsUnclear]


class MentionsMentions(TypedDict):
    name: str
    participant_id: str


class MentionsUnclear(TypedDict):
    name: str
    participant_ids: List[str]


class Notice(TypedDict):
    notice_id: str
    kind: str
    space_id: Optional[str]
    details: Dict[str, Any]
    #: How many earlier notices of the same kind it stands for
    earlier: int
    created_at: str


class NotificationChannel(TypedDict):
    channel_id: str
    kind: Literal["email", "push"]
    #: Of a browser, where its push service takes messages
    address: str
    #: Of a browser, by which its owner knows it
    name: Optional[str]
    #: Nothing is sent to an address before its owner has followed the link
    verified: bool


class NotificationSubscribeKeys(TypedDict):
    p256dh: str
    auth: str


class Notifications(TypedDict):
    #: How many minutes an item stays unseen before it is sent by e-mail; and between two messages
    delay_minutes: int
    #: The same for browsers. They get nothing while a view of the page is visible
    push_delay_minutes: int
    #: When nothing is sent, every day, in the time zone; null for never
    quiet_hours: Optional[QuietHours]
    #: A name of the IANA database, such as `Europe/Berlin`
    time_zone: str
    #: What is told of a space for which the caller has set nothing else: what mentions or answers them or is in a
    #: conversation (`mentions`), threads that they take part in, too (`all`), or nothing (`none`)
    notices: Literal["all", "mentions", "none"]
    #: Whether participants of the spaces and conversations of the caller see that a view of the page of theirs is
    #: visible
    shows_presence: bool
    channels: List[NotificationChannel]
    #: Whether this server sends e-mail
    sends_email: bool
    #: The `applicationServerKey` with which a browser subscribes; null if this server sends to none
    push_key: Optional[str]


class Participant(TypedDict):
    participant_id: str
    name: str
    participant_type: Literal["human", "agent"]
    joined_at: str
    agent_adapter: Optional[str]
    actor_id: str
    role: Literal["member", "owner"]
    #: Whether it is an agent that may only read now
    is_stopped: bool
    #: Whether it is a human who looks at the page now and shows it, to participants of the space
    is_present: bool


class PasskeyOptions(TypedDict):
    #: For `navigator.credentials`, in JSON
    options: Dict[str, Any]


class PersonalAccessToken(TypedDict):
    pat_id: str
    name: str
    token_prefix: str
    created_at: str
    last_used_at: Optional[str]
    revoked_at: Optional[str]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]


class Picture(TypedDict):
    actor_id: str
    #: Its SHA-256, in hexadecimal
    picture: str


class Place(TypedDict):
    space_id: str
    event_id: str


class Policy(TypedDict):
    space_id: str
    settle: SettleRules
    loop_guard: LoopGuard
    #: Null for the default policy
    changed_by: Optional[str]
    changed_at: Optional[str]


class PolicySetLoopGuard(TypedDict, total=False):
    total: Optional[int]
    per_agent: Optional[int]


class PolicySetSettle(TypedDict, total=False):
    who: Optional[Literal["anyone", "humans", "named"]]
    named: Optional[List[str]]
    approvals: Optional[int]
    independent: Optional[bool]
    proposer_may_settle: Optional[bool]


class PolicyValues(TypedDict):
    settle: SettleRules
    loop_guard: LoopGuard


class PolledDevice(TypedDict):
    status: Literal["pending", "signed_in"]
    #: Of the session; shown only once
    token: Optional[str]
    actor: Optional[Actor]
    credential_id: Optional[str]
    expires_at: Optional[str]


class Preferences(TypedDict):
    pinned: bool
    #: The events that notify the caller while away: mentions, replies and conversations (`mentions`), also threads of
    #: the caller (`all`), or none (`none`)
    notices: Literal["all", "mentions", "none"]


class PrivateSpace(TypedDict):
    space_id: str
    status: Literal["active", "paused", "archived"]
    #: Ids of the humans that the space belongs to, sorted. Those who have left the tenant are not among them
    owners: List[str]
    started_at: str
    participant_count: int
    event_count: int


class ProvenEntry(TypedDict):
    position: int
    #: The sealed text that the hash is of: JSON of the entry and its nonce
    line: str
    #: If its content was erased
    redacted: Optional[RedactedEntry]
    #: The inclusion proof of RFC 6962
    proof: List[str]


QuietHours = TypedDict("QuietHours", {"from": "str", "until": "str"})


class Reaction(TypedDict):
    emoji: str
    count: int
    #: Who reacted so, the first ones: of an event of a list, at most 10
    actors: List[ReactionActors]


class ReactionActors(TypedDict):
    actor_id: str
    name: str


class Receipt(TypedDict):
    actor_id: str
    name: str
    #: How far it has come, from what the server knows. It ascends, but for a claim that ends, an agent that is started
    #: again, and an actor that is heard of again. Of a human: waiting, seen, answered, or unreachable once it can no
    #: longer read the space
    state: ReceiptState
    #: Null where that is no longer known
    since: Optional[str]
    #: The answer
    by_event_id: Optional[str]
    #: Until when it works on it
    claim: Optional[ReceiptClaim]
    #: Whether the agent has marked it as done, with an answer or without
    done: bool
    #: Why it was declined
    reason: Optional[str]
    #: When the agent was last heard of, to the minute. Null if never, for humans, and in the shared tenant for agents
    #: of another human
    last_seen_at: Optional[str]


class ReceiptClaim(TypedDict):
    claim_id: str
    expires_at: str
    progress: Optional[str]


class RedactedEntry(TypedDict):
    #: The hash of the entry as it was
    leaf_hash: str
    #: The operator's record
    erasure_id: str
    erased_at: str


class Released(TypedDict):
    agent_id: str
    status: Literal["released", "already_released"]


class _Revoked(TypedDict):
    ok: Literal[True]


class Revoked(_Revoked, total=False):
    #: What was made with it and ended: tokens, keys, codes and invites are revoked, agents stopped, webhooks disabled.
    #: Absent if nothing ended
    ended: Ended


class _RotatedActor(TypedDict):
    actor_id: str
    display_name: str
    actor_type: Literal["human", "agent"]
    email: Optional[str]
    default_space_id: Optional[str]
    sponsor_id: Optional[str]
    tenant_id: Optional[str]
    agent_profile: Optional[str]
    #: What it does, in one line
    title: Optional[str]
    #: A name of the IANA database
    time_zone: Optional[str]
    #: The SHA-256 of its picture, if it has one
    picture: Optional[str]
    metadata: Optional[Dict[str, Any]]
    created_at: str
    #: The installation an agent is connected to
    connection: Optional[Connection]
    #: Set while an agent may only read
    stopped: Optional[Stopped]
    #: null for all
    scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: null for all
    space_ids: Optional[List[str]]
    expires_at: Optional[str]
    #: Plaintext, shown only once
    api_key: str


class RotatedActor(_RotatedActor, total=False):
    #: With `revoke_tokens`, what ended. Absent if nothing ended
    ended: Ended


class Seen(TypedDict):
    space_id: str
    #: The last event that the caller marked as seen; null for none
    seen_event_id: Optional[str]
    #: The number of later events of other actors, at most 100, which means that many or more events came; 0 for a space
    #: that the caller has neither joined nor marked
    unread_count: int


class SessionCode(TypedDict):
    #: Good for one session within a minute
    code: str


class SettleRules(TypedDict):
    #: Who may settle decisions
    who: Literal["anyone", "humans", "named"]
    #: The actors that may, if `who` is `named`
    named: List[str]
    #: How many approvals a decision needs before it can be resolved
    approvals: int
    #: Whether a human and their agents count once, however many of them approve
    independent: bool
    proposer_may_settle: bool


class SignalAct(TypedDict):
    kind: Literal["act"]
    space_id: str
    decision_id: Optional[str]


class SignalChanged(TypedDict):
    kind: Literal["changed"]
    space_id: str
    part: Literal["status", "links", "claims", "receipts"]


class SignalFollowing(TypedDict):
    kind: Literal["following"]
    space_id: str
    since: Optional[str]


class SignalInbox(TypedDict):
    kind: Literal["inbox"]


class SignalMissed(TypedDict):
    kind: Literal["missed"]


class SignalPresence(TypedDict):
    kind: Literal["presence"]
    actors: List[SignalPresenceActors]


class SignalPresenceActors(TypedDict):
    actor_id: str
    is_present: bool


class SignalReaction(TypedDict):
    kind: Literal["reaction"]
    space_id: str
    event_id: Optional[str]


class SignalSpace(TypedDict):
    kind: Literal["space"]
    space_id: str
    event_count: int
    last_event_at: Optional[str]
    #: The last event that the caller marked as seen; null for none
    seen_event_id: Optional[str]
    #: The number of later events of other actors, at most 100, which means that many or more events came; 0 for a space
    #: that the caller has neither joined nor marked
    unread_count: int


class SignalStop(TypedDict):
    kind: Literal["stop"]
    actor_id: str


class SignalUnfollowed(TypedDict):
    kind: Literal["unfollowed"]
    space_id: str
    detail: str


class SignedIn(TypedDict):
    actor: Actor
    #: Of the session; shown only once
    token: str
    credential_id: str
    expires_at: str
    #: Where to send the browser after the sign-out, to end the session at the identity provider; null for none
    logout_url: Optional[str]


class SignedOut(TypedDict):
    ok: Literal[True]
    #: How many sessions have ended
    ended: int


class Space(TypedDict):
    description: str
    space_id: str
    #: What people call it; null for its id
    title: Optional[str]
    status: Literal["active", "paused", "archived"]
    #: Whether all members of the tenant see it, or only its participants
    visibility: Literal["open", "private"]
    links: List[str]
    #: Ids of the humans that the space belongs to, sorted. Those who have left the tenant are not among them
    owners: List[str]
    started_at: str
    ended_at: Optional[str]
    event_count: int
    last_event_at: Optional[str]
    #: The last event that the caller marked as seen; null for none
    seen_event_id: Optional[str]
    #: The number of later events of other actors, at most 100, which means that many or more events came; 0 for a space
    #: that the caller has neither joined nor marked
    unread_count: int
    #: How the caller has it for itself
    preferences: Preferences
    participant_count: int
    #: The other participants of a conversation. Empty for any other space
    partners: List[SpacePartners]


class SpaceActOwnersChanged(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: None
    #: The authenticated actor; null for the operator
    actor_id: Optional[str]
    actor_type: Optional[Literal["human", "agent"]]
    sponsor_id: Optional[str]
    #: `api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code
    credential_id: str
    kind: Literal["owners_changed"]
    #: Ids of humans
    before: List[str]
    #: Ids of humans
    after: List[str]


class SpaceActParticipantAdded(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: None
    #: The authenticated actor; null for the operator
    actor_id: Optional[str]
    actor_type: Optional[Literal["human", "agent"]]
    sponsor_id: Optional[str]
    #: `api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code
    credential_id: str
    kind: Literal["participant_added"]
    participant_id: str


class SpaceActParticipantRemoved(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: None
    #: The authenticated actor; null for the operator
    actor_id: Optional[str]
    actor_type: Optional[Literal["human", "agent"]]
    sponsor_id: Optional[str]
    #: `api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code
    credential_id: str
    kind: Literal["participant_removed"]
    participant_id: str


class SpaceActPolicyChanged(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: None
    #: The authenticated actor; null for the operator
    actor_id: Optional[str]
    actor_type: Optional[Literal["human", "agent"]]
    sponsor_id: Optional[str]
    #: `api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code
    credential_id: str
    kind: Literal["policy_changed"]
    before: PolicyValues
    after: PolicyValues


class _SpaceActProposed(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: str
    #: The authenticated actor
    actor_id: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: `api_key`, or the id of a personal access token
    credential_id: str
    kind: Literal["proposed"]
    proposed_by: str
    text: str
    assignees: List[str]
    supersedes: Optional[str]
    review_at: Optional[str]
    #: The rules of the space at that moment
    rules: SettleRules


class SpaceActProposed(_SpaceActProposed, total=False):
    #: The answers that it offers; one that denies permits nothing
    options: List[DecisionOption]
    action: DecisionAction
    expires_at: str


class SpaceActReviewed(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: str
    #: The authenticated actor
    actor_id: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: `api_key`, or the id of a personal access token
    credential_id: str
    kind: Literal["reviewed"]
    verdict: Literal["approve", "reject"]
    note: Optional[str]


class _SpaceActSettled(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: str
    #: The authenticated actor
    actor_id: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: `api_key`, or the id of a personal access token
    credential_id: str
    kind: Literal["settled"]
    status: Literal["resolved", "rejected"]
    resolved_by: str
    resolution: str
    #: The rules of the space at that moment
    rules: SettleRules
    approvals: Approvals


class SpaceActSettled(_SpaceActSettled, total=False):
    option: str
    edit: ActionEdit


class SpaceActSuperseded(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: str
    #: The authenticated actor
    actor_id: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: `api_key`, or the id of a personal access token
    credential_id: str
    kind: Literal["superseded"]
    superseded_by: str


class SpaceActUsed(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: str
    #: The authenticated actor
    actor_id: str
    actor_type: Literal["human", "agent"]
    sponsor_id: Optional[str]
    #: `api_key`, or the id of a personal access token
    credential_id: str
    kind: Literal["used"]
    #: The digest of the action
    digest: str
    #: The rules of the space at that moment
    rules: SettleRules
    #: Those that counted at that moment
    approvals: Approvals


class SpaceActVisibilityChanged(TypedDict):
    space_id: str
    #: Gapless within the space, from 1
    position: int
    created_at: str
    decision_id: None
    #: The authenticated actor; null for the operator
    actor_id: Optional[str]
    actor_type: Optional[Literal["human", "agent"]]
    sponsor_id: Optional[str]
    #: `api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code
    credential_id: str
    kind: Literal["visibility_changed"]
    before: Literal["open", "private"]
    after: Literal["open", "private"]


class SpaceMove(TypedDict):
    #: The spaces that come along, newest first
    moves: List[SpaceMoveMoves]
    #: The spaces that stay, newest first, and why
    stays: List[SpaceMoveStays]
    #: Links between a space that moves and one that stays, which end
    links_removed: int
    #: Webhooks that move, and are disabled: rotate their secrets, then enable them
    webhooks_disabled: int


class SpaceMoveMoves(TypedDict):
    space_id: str
    title: Optional[str]
    event_count: int


class SpaceMoveStays(TypedDict):
    space_id: str
    title: Optional[str]
    event_count: int
    reason: SpaceMoveStaysReason
    #: The reason as a sentence
    detail: str


class SpacePartners(TypedDict):
    actor_id: str
    name: str
    is_present: bool


class SpaceStatus(TypedDict):
    description: str
    space_id: str
    #: What people call it; null for its id
    title: Optional[str]
    status: Literal["active", "paused", "archived"]
    #: Whether all members of the tenant see it, or only its participants
    visibility: Literal["open", "private"]
    links: List[str]
    #: Ids of the humans that the space belongs to, sorted. Those who have left the tenant are not among them
    owners: List[str]
    started_at: str
    ended_at: Optional[str]
    event_count: int
    last_event_at: Optional[str]
    #: The last event that the caller marked as seen; null for none
    seen_event_id: Optional[str]
    #: The number of later events of other actors, at most 100, which means that many or more events came; 0 for a space
    #: that the caller has neither joined nor marked
    unread_count: int
    #: How the caller has it for itself
    preferences: Preferences
    participants: List[Participant]


class Stopped(TypedDict):
    reason: Optional[str]
    stopped_by: str
    stopped_at: str


class StreamTicket(TypedDict):
    ticket: str
    #: Until when it opens streams
    expires_at: str


class Summary(TypedDict):
    summary_id: str
    space_id: str
    window_start: str
    window_end: str
    #: Markdown
    summary_text: str
    event_count: int
    #: What wrote it
    model: str
    created_at: str


class Tenant(TypedDict):
    tenant_id: str
    name: str
    schema_name: str
    status: Literal["active", "suspended"]
    created_at: str


class TenantPolicy(TypedDict):
    tenant_id: str
    #: The allowed attributions: `free`, any speaker; `no_members`, none of another member; `none`, only themselves
    attribution: Literal["free", "no_members", "none"]
    #: What new agents are allowed by default, and the most that members who are no admins may give them; null for no
    #: such rule
    agent_scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]]
    #: The hosts that webhooks and push messages may go to, such as `hooks.example.org` or `*.example.org`, which is all
    #: names below that; null for any
    webhook_hosts: Optional[List[str]]


class _Thread(TypedDict):
    thread_id: str
    space_id: str
    #: The event that it is about; null for one about a decision
    parent_event_id: Optional[str]
    subject: str
    created_at: str


class Thread(_Thread, total=False):
    #: The decision that it is about
    decision_id: str


class ThreadWithEvents(TypedDict):
    thread: Thread
    events: List[Event]


class UncountedApproval(TypedDict):
    actor_id: str
    reason: UncountedApprovalReason


class WaysToSignIn(TypedDict):
    #: The provider of OpenID Connect; null if there is none
    oidc: Optional[WaysToSignInOidc]
    #: The only name of this site at which passkeys work; null if they do not
    passkeys: Optional[WaysToSignInPasskeys]
    #: Whether the server sends sign-in links by e-mail
    email: bool
    registration: Literal["open", "closed"]


class WaysToSignInOidc(TypedDict):
    name: str


class WaysToSignInPasskeys(TypedDict):
    rp_id: str
    origin: str


class Webhook(TypedDict):
    webhook_id: str
    owner_id: str
    #: For admins who do not own it, without what may be secret
    url: str
    space_id: Optional[str]
    inbox_of: Optional[str]
    types: List[Literal["events.appended", "decision.changed", "attention.raised"]]
    payload: Literal["thin", "full"]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]
    #: `disabled` by a change, `gone` after an answer 410, `failing` for three days, `owner_left` the tenant, or
    #: `credential_revoked`: the credential that made it
    disabled_reason: Optional[WebhookWithSecretDisabledReason]
    #: When the receiver at this URL proved that it wants requests, by answering a `webhook.challenge` with the
    #: challenge. Null until then: nothing else is sent, and `last_attempt` says why
    verified_at: Optional[str]
    #: Events and acts that are not delivered yet; of an inbox up to 1,000
    lag: int
    failing_since: Optional[str]
    #: After a failure
    next_attempt_at: Optional[str]
    last_attempt: Optional[WebhookAttempt]


class WebhookAttempt(TypedDict):
    #: The `webhook-id` of the request: the same for all attempts at it
    message_id: str
    type: WebhookAttemptType
    #: Null for a challenge or a test, and for a space the credential does not open
    space_id: Optional[str]
    #: How many events or acts it had
    count: int
    started_at: str
    duration_ms: int
    ok: bool
    #: Of the answer; null if there was none
    status: Optional[int]
    #: Why it failed
    error: Optional[str]


class WebhookDetails(TypedDict):
    webhook_id: str
    owner_id: str
    #: For admins who do not own it, without what may be secret
    url: str
    space_id: Optional[str]
    inbox_of: Optional[str]
    types: List[Literal["events.appended", "decision.changed", "attention.raised"]]
    payload: Literal["thin", "full"]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]
    #: `disabled` by a change, `gone` after an answer 410, `failing` for three days, `owner_left` the tenant, or
    #: `credential_revoked`: the credential that made it
    disabled_reason: Optional[WebhookWithSecretDisabledReason]
    #: When the receiver at this URL proved that it wants requests, by answering a `webhook.challenge` with the
    #: challenge. Null until then: nothing else is sent, and `last_attempt` says why
    verified_at: Optional[str]
    #: Events and acts that are not delivered yet; of an inbox up to 1,000
    lag: int
    failing_since: Optional[str]
    #: After a failure
    next_attempt_at: Optional[str]
    last_attempt: Optional[WebhookAttempt]
    #: The last 20, the newest first
    attempts: List[WebhookAttempt]


class WebhookWithSecret(TypedDict):
    webhook_id: str
    owner_id: str
    #: For admins who do not own it, without what may be secret
    url: str
    space_id: Optional[str]
    inbox_of: Optional[str]
    types: List[Literal["events.appended", "decision.changed", "attention.raised"]]
    payload: Literal["thin", "full"]
    created_at: str
    #: When its secret was last replaced
    rotated_at: Optional[str]
    disabled_at: Optional[str]
    #: `disabled` by a change, `gone` after an answer 410, `failing` for three days, `owner_left` the tenant, or
    #: `credential_revoked`: the credential that made it
    disabled_reason: Optional[WebhookWithSecretDisabledReason]
    #: When the receiver at this URL proved that it wants requests, by answering a `webhook.challenge` with the
    #: challenge. Null until then: nothing else is sent, and `last_attempt` says why
    verified_at: Optional[str]
    #: Events and acts that are not delivered yet; of an inbox up to 1,000
    lag: int
    failing_since: Optional[str]
    #: After a failure
    next_attempt_at: Optional[str]
    last_attempt: Optional[WebhookAttempt]
    #: The signing secret (Standard Webhooks), shown only once
    secret: str


class WorkClaim(TypedDict):
    claim_id: str
    space_id: str
    event_id: Optional[str]
    decision_id: Optional[str]
    key: Optional[str]
    #: Grows each time it is taken: writes with an older one are refused
    fence: int
    #: Actor id
    holder: str
    holder_name: str
    #: False after it was handed over, until the holder writes with it or renews it
    accepted: bool
    note: Optional[str]
    #: What the holder said last about how far it is
    progress: Optional[str]
    progress_at: Optional[str]
    claimed_at: str
    expires_at: str


AuditEntryAction = Literal[
    "actor.registered",
    "actor.renamed",
    "actor.key_rotated",
    "actor.key_revoked",
    "actor.disabled",
    "actor.enabled",
    "actor.deleted",
    "agent.connected",
    "agent.released",
    "agent.stopped",
    "agent.started",
    "agent_code.created",
    "agent_code.redeemed",
    "agent_code.revoked",
    "token.created",
    "token.revoked",
    "session.created",
    "session.ended",
    "grant.created",
    "grant.revoked",
    "passkey.added",
    "passkey.removed",
    "identity.bound",
    "identity.removed",
    "notification_channel.added",
    "notification_channel.verified",
    "notification_channel.removed",
    "tenant.created",
    "tenant.suspended",
    "tenant.reactivated",
    "tenant.quotas_changed",
    "tenant.language_model_allowed",
    "tenant.language_model_forbidden",
    "tenant.policy_changed",
    "tenant.exported",
    "tenant.moving",
    "tenant.move_cancelled",
    "tenant.arrived",
    "member.joined",
    "member.left",
    "member.removed",
    "member.access_changed",
    "admin.granted",
    "admin.withdrawn",
    "invite.created",
    "invite.redeemed",
    "invite.revoked",
    "webhook.created",
    "webhook.changed",
    "webhook.secret_rotated",
    "webhook.replayed",
    "webhook.deleted",
    "incoming_webhook.created",
    "incoming_webhook.changed",
    "incoming_webhook.secret_rotated",
    "incoming_webhook.deleted",
    "event.redacted",
    "events.redacted",
    "decision.redacted",
    "thread.redacted",
    "link.redacted",
    "claim.redacted",
    "space.redacted",
    "space.deleted",
    "erasures.scrubbed",
    "space.policy_changed",
    "space.owners_changed",
    "space.visibility_changed",
    "space.participant_added",
    "space.participant_removed",
    "space.archived",
    "space.unarchived",
    "space.left",
    "space.arrived",
    "credentials.failed",
    "sign_in.refused",
    "server_key.forgotten",
    "backup.made",
    "tenant.moved",
    "tenant.deleted",
    "log.new_epoch",
    "log.adopted",
]
ContextSectionsName = Literal["space", "in_force", "open", "summary", "matches", "focus", "claims", "newest"]
DecisionAct = Union[SpaceActProposed, SpaceActReviewed, SpaceActSettled, SpaceActSuperseded, SpaceActUsed]
MadeKind = Literal[
    "token",
    "session",
    "grant",
    "passkey",
    "identity",
    "api_key",
    "agent",
    "agent_code",
    "invite",
    "notification_channel",
    "webhook",
]
ReceiptState = Literal["waiting", "unreachable", "seen", "working", "answered", "declined", "stopped"]
Signal = Union[
    SignalSpace,
    SignalChanged,
    SignalAct,
    SignalReaction,
    SignalInbox,
    SignalStop,
    SignalPresence,
    SignalFollowing,
    SignalUnfollowed,
    SignalMissed,
]
SpaceAct = Union[
    SpaceActProposed,
    SpaceActReviewed,
    SpaceActSettled,
    SpaceActSuperseded,
    SpaceActUsed,
    SpaceActPolicyChanged,
    SpaceActOwnersChanged,
    SpaceActVisibilityChanged,
    SpaceActParticipantAdded,
    SpaceActParticipantRemoved,
]
SpaceMoveStaysReason = Literal[
    "tenant",
    "creator",
    "participants",
    "events",
    "decisions",
    "addressed",
    "claims",
    "links",
    "webhooks",
    "readers",
    "deletion",
    "seal",
    "size",
]
UncountedApprovalReason = Literal["proposer", "deleted", "departed", "disabled", "stopped", "same_human"]
WebhookAttemptType = Literal[
    "events.appended",
    "decision.changed",
    "attention.raised",
    "webhook.challenge",
    "webhook.test",
]
WebhookWithSecretDisabledReason = Literal["disabled", "gone", "failing", "owner_left", "credential_revoked"]


class ActivityOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        space_id: str,
        *,
        since: Optional[str] = None,
        by: Optional[Literal["timestamp", "occurred_at"]] = None,
        max_events: Optional[int] = None,
        buckets: Optional[int] = None,
    ) -> Activity:
        """Get recent activity by participant.

        `since` is by default one hour ago.

        `GET /api/spaces/{space_id}/activity`

        since: Default: one hour ago
        by: The time that counts: `timestamp`, or `occurred_at` of the events that have it
        buckets: Into how many equal parts the time from `since` until now is divided, to count events in each
        """
        operation = Operation("activity.get", "GET", "/api/spaces/{space_id}/activity", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"since": since, "by": by, "max_events": max_events, "buckets": buckets},
        )


class ActorOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def stop(self, actor_id: str, *, reason: Optional[str] = OMITTED) -> Actor:
        """Stop an agent: until it is started, it may only read.

        By the sponsor or admins. Then all without the scope `read` is 403 `agent_stopped`; key and streams stay valid.
        Once answered, no pending write of the agent is added. The first reason stays, unless an admin overrides the
        sponsor.

        `POST /api/actors/{actor_id}/stop`

        reason: Shown to requests with the key
        """
        operation = Operation("actor.stop", "POST", "/api/actors/{actor_id}/stop")
        return self._transport.call(operation, {"actor_id": actor_id}, body={"reason": reason})

    def start(self, actor_id: str) -> Actor:
        """Start a stopped agent.

        By the sponsor or admins. After an admin's stop, the sponsor gets 403 while the tenant has an admin.

        `POST /api/actors/{actor_id}/start`
        """
        operation = Operation("actor.start", "POST", "/api/actors/{actor_id}/start")
        return self._transport.call(operation, {"actor_id": actor_id})

    def stop_my_agents(self, *, reason: Optional[str] = OMITTED) -> List[Actor]:
        """Stop all agents that the caller sponsors.

        If it fails, repeat it.

        `POST /api/actors/me/agents/stop`

        reason: Shown to requests with the key
        """
        operation = Operation("actor.stopMyAgents", "POST", "/api/actors/me/agents/stop")
        return self._transport.call(operation, {}, body={"reason": reason})

    def disable(self, actor_id: str) -> Disabled:
        """Disable a member of the tenant, with its agents: no credential of it works, not even to read.

        Not of the caller itself (409). No credential of the member or its agents works then, and their streams end.

        `POST /api/actors/{actor_id}/disable`
        """
        operation = Operation("actor.disable", "POST", "/api/actors/{actor_id}/disable")
        return self._transport.call(operation, {"actor_id": actor_id})

    def enable(self, actor_id: str) -> Disabled:
        """Enable a disabled member, with the agents that were disabled with it.

        Leaving the tenant enables a member, too. Only the operator enables an actor that the operator disabled: 403.

        `POST /api/actors/{actor_id}/enable`
        """
        operation = Operation("actor.enable", "POST", "/api/actors/{actor_id}/enable")
        return self._transport.call(operation, {"actor_id": actor_id})

    def register(
        self,
        *,
        display_name: str,
        actor_type: Optional[Literal["human", "agent"]] = OMITTED,
        email: Optional[str] = OMITTED,
        agent_profile: Optional[str] = OMITTED,
        metadata: Optional[Dict[str, Any]] = OMITTED,
        code: Optional[str] = OMITTED,
        scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]] = OMITTED,
        space_ids: Optional[List[str]] = OMITTED,
        expires_at: Optional[str] = OMITTED,
    ) -> ActorWithKey:
        """Register a human or, with the key of a human, an agent.

        *Public* for a human; a key is ignored. 403 if registration is closed, or for pages of other origins (`Origin`,
        `Sec-Fetch-Site: cross-site`), unless with the `code` of an invite, into whose tenant it registers. A human
        needs an `email`. An agent needs the key of its future sponsor: none is 401, an agent's 403. More than 100
        agents of a human, unless the operator says otherwise: 403.

        `POST /api/actors`

        email: Required for humans
        code: The code of an invite, to register directly into its tenant
        scopes: What the key of an agent allows. Default: what the tenant’s policy says, or `read`, `write` and
            `settle`, as far as the credential of the request allows it
        space_ids: The only spaces it gives access to
        expires_at: When it expires
        """
        operation = Operation("actor.register", "POST", "/api/actors")
        return self._transport.call(
            operation,
            {},
            body={
                "display_name": display_name,
                "actor_type": actor_type,
                "email": email,
                "agent_profile": agent_profile,
                "metadata": metadata,
                "code": code,
                "scopes": scopes,
                "space_ids": space_ids,
                "expires_at": expires_at,
            },
        )

    def me(self) -> Me:
        """Get the caller, with the limits of its credential.

        `GET /api/actors/me`
        """
        operation = Operation("actor.me", "GET", "/api/actors/me", is_idempotent=True)
        return self._transport.call(operation, {})

    def my_spaces(
        self,
        *,
        status: Optional[Literal["active", "paused", "archived"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Space]:
        """List the spaces the caller has joined.

        `GET /api/actors/me/spaces`

        status: Only spaces of this status
        cursor: The id of the last space of the page before
        limit: At most so many; without it, all
        """
        operation = Operation("actor.mySpaces", "GET", "/api/actors/me/spaces", is_idempotent=True)
        return self._transport.call(operation, {}, query={"status": status, "cursor": cursor, "limit": limit})

    def my_agents(self) -> List[Actor]:
        """List the agents the caller sponsors.

        `GET /api/actors/me/agents`
        """
        operation = Operation("actor.myAgents", "GET", "/api/actors/me/agents", is_idempotent=True)
        return self._transport.call(operation, {})

    def card(self, actor_id: str) -> ActorCard:
        """Get what other members see of an actor, its claims, and the spaces in common.

        In the tenant; in the shared tenant, and by guests, with a space or the human behind it in common; else 404.

        `GET /api/actors/{actor_id}`
        """
        operation = Operation("actor.card", "GET", "/api/actors/{actor_id}", is_idempotent=True)
        return self._transport.call(operation, {"actor_id": actor_id})

    def change(
        self,
        actor_id: str,
        *,
        display_name: Optional[str] = OMITTED,
        metadata: Optional[Dict[str, Any]] = OMITTED,
        title: Optional[str] = OMITTED,
        time_zone: Optional[str] = OMITTED,
    ) -> Actor:
        """Change the name, profile or metadata of the caller, or of an agent it sponsors.

        By a human itself, or the sponsor. `title` says what it does; a null `metadata`, `title` or `time_zone` clears
        it.

        `PATCH /api/actors/{actor_id}`

        metadata: null clears it
        title: What it does, in one line; null clears it
        time_zone: A name of the IANA database; null clears it
        """
        operation = Operation("actor.change", "PATCH", "/api/actors/{actor_id}")
        return self._transport.call(
            operation,
            {"actor_id": actor_id},
            body={"display_name": display_name, "metadata": metadata, "title": title, "time_zone": time_zone},
        )

    def delete(self, actor_id: str) -> Done:
        """Delete the caller with its agents, or an agent it sponsors.

        By a human itself, with its agents, or the sponsor. Keys and streams end at once; events remain, with their
        names. The last admin of a tenant with other members: 409.

        `DELETE /api/actors/{actor_id}`
        """
        operation = Operation("actor.delete", "DELETE", "/api/actors/{actor_id}")
        return self._transport.call(operation, {"actor_id": actor_id})

    def rotate_key(
        self,
        actor_id: str,
        *,
        revoke_tokens: Optional[bool] = OMITTED,
        scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]] = OMITTED,
        space_ids: Optional[List[str]] = OMITTED,
        expires_at: Optional[str] = OMITTED,
        force_rotate: Optional[Literal["true", "false"]] = None,
        installation_id: Optional[str] = None,
    ) -> RotatedActor:
        """Replace the API key; the old one stops working at once.

        By the actor or its sponsor. The old key ends at once; what it made stays, but with `revoke_tokens` all that any
        credential of the actor made ends. For a connected agent, send `X-Installation-Id` of its installation or
        `X-Force-Rotate: true`, else 409 `agent_connected`. An agent's limits stay, or, if any are given, are exactly
        these, with scopes as for a new one.

        `POST /api/actors/{actor_id}/rotate-key`

        revoke_tokens: End everything else, too: all tokens, agent codes, invites and webhooks of the actor, and
            stop its agents
        scopes: What the key of an agent allows. Default: what the tenant’s policy says, or `read`, `write` and
            `settle`, as far as the credential of the request allows it
        space_ids: The only spaces it gives access to
        expires_at: When it expires
        force_rotate: Rotate the key also of an agent that is connected to another installation, which then ends
        installation_id: The installation that the agent runs in
        """
        operation = Operation("actor.rotateKey", "POST", "/api/actors/{actor_id}/rotate-key")
        return self._transport.call(
            operation,
            {"actor_id": actor_id},
            body={"revoke_tokens": revoke_tokens, "scopes": scopes, "space_ids": space_ids, "expires_at": expires_at},
            headers={"X-Force-Rotate": force_rotate, "X-Installation-Id": installation_id},
        )

    def connect(self, actor_id: str, *, installation_id: str, agent_adapter: Optional[str] = OMITTED) -> Connected:
        """Connect an agent to an installation.

        By the agent or its sponsor. Connects it, or refreshes that. Connected elsewhere: 409 `agent_connected`. A
        human: 400.

        `POST /api/actors/{actor_id}/connect`
        """
        operation = Operation("actor.connect", "POST", "/api/actors/{actor_id}/connect", is_idempotent=True)
        return self._transport.call(
            operation,
            {"actor_id": actor_id},
            body={"installation_id": installation_id, "agent_adapter": agent_adapter},
        )

    def release(self, actor_id: str) -> Released:
        """Release an agent from its installation; its key stays valid.

        By the sponsor or admins. The key stays valid.

        `POST /api/actors/{actor_id}/release`
        """
        operation = Operation("actor.release", "POST", "/api/actors/{actor_id}/release", is_idempotent=True)
        return self._transport.call(operation, {"actor_id": actor_id})


class AgentCodeOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        display_name: str,
        agent_profile: Optional[str] = OMITTED,
        scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]] = OMITTED,
        space_ids: Optional[List[str]] = OMITTED,
        key_expires_at: Optional[str] = OMITTED,
        expires_in_s: Optional[int] = OMITTED,
    ) -> CreatedAgentCode:
        """Create a one-time code for an agent; it is shown only once.

        `scopes`, `space_ids` and `key_expires_at` limit the key. The agent joins up to 20 `space_ids`: private ones by
        owners only, conversations never. `expires_in_s` is 60 to 86,400.

        `POST /api/agent-codes`

        scopes: What the key of an agent allows. Default: what the tenant’s policy says, or `read`, `write` and
            `settle`, as far as the credential of the request allows it
        space_ids: The spaces that the agent joins, and the only ones its key gives access to
        key_expires_at: When the key expires
        """
        operation = Operation("agentCode.create", "POST", "/api/agent-codes")
        return self._transport.call(
            operation,
            {},
            body={
                "display_name": display_name,
                "agent_profile": agent_profile,
                "scopes": scopes,
                "space_ids": space_ids,
                "key_expires_at": key_expires_at,
                "expires_in_s": expires_in_s,
            },
        )

    def list(self) -> List[AgentCode]:
        """List the caller's agent codes, newest first.

        `GET /api/agent-codes`
        """
        operation = Operation("agentCode.list", "GET", "/api/agent-codes", is_idempotent=True)
        return self._transport.call(operation, {})

    def revoke(self, code_id: str) -> Done:
        """Revoke an agent code.

        Its agent stays.

        `DELETE /api/agent-codes/{code_id}`
        """
        operation = Operation("agentCode.revoke", "DELETE", "/api/agent-codes/{code_id}")
        return self._transport.call(operation, {"code_id": code_id})

    def redeem(self, *, code: str, installation_id: str, agent_adapter: Optional[str] = OMITTED) -> ActorWithKey:
        """Redeem an agent code.

        Creates the agent, connects it, and has it join its spaces that are not archived. A private space of which its
        sponsor is no owner now: 409.

        `POST /api/agent-codes/redeem`
        """
        operation = Operation("agentCode.redeem", "POST", "/api/agent-codes/redeem", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            body={"code": code, "installation_id": installation_id, "agent_adapter": agent_adapter},
        )


class AuditOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        action: Optional[AuditEntryAction] = None,
        actor_id: Optional[str] = None,
        subject_id: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> List[AuditEntry]:
        """List the security log of the tenant, newest first.

        `before` is an entry id; `since` and `until` are times.

        `GET /api/audit`
        """
        operation = Operation("audit.list", "GET", "/api/audit", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            query={
                "action": action,
                "actor_id": actor_id,
                "subject_id": subject_id,
                "since": since,
                "until": until,
                "limit": limit,
                "before": before,
            },
        )

    def checkpoint(self) -> Checkpoint:
        """Get the newest checkpoint of the security log.

        `GET /api/audit/log/checkpoint`
        """
        operation = Operation("audit.checkpoint", "GET", "/api/audit/log/checkpoint", is_idempotent=True)
        return self._transport.call(operation, {})

    def proof(self, *, entry_id: str) -> LogReceipt:
        """Get the receipt of an entry of the security log.

        `GET /api/audit/log/proof`

        entry_id: The entry of the security log to prove
        """
        operation = Operation("audit.proof", "GET", "/api/audit/log/proof", is_idempotent=True)
        return self._transport.call(operation, {}, query={"entry_id": entry_id})

    def consistency(self, *, from_: Optional[int] = None, to: Optional[int] = None) -> ConsistencyProof:
        """Get the proof that a checkpoint of the security log extends an earlier one.

        `GET /api/audit/log/consistency`

        from_: The size of the earlier checkpoint
        to: The size of the later one; by default the newest
        """
        operation = Operation("audit.consistency", "GET", "/api/audit/log/consistency", is_idempotent=True)
        return self._transport.call(operation, {}, query={"from": from_, "to": to})

    def export(self, *, after: Optional[int] = None) -> Iterator[str]:
        """Export the security log with its proofs.

        To follow it, `after` is the size of the last checkpoint.

        `GET /api/audit/log/export`

        after: Only the entries after this position
        """
        operation = Operation("audit.export", "GET", "/api/audit/log/export", is_idempotent=True)
        return self._transport.lines(operation, {}, {"after": after})


class BlockOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> List[Block]:
        """List the actors that the caller has blocked, oldest first.

        `GET /api/actors/me/blocks`
        """
        operation = Operation("block.list", "GET", "/api/actors/me/blocks", is_idempotent=True)
        return self._transport.call(operation, {})

    def add(self, actor_id: str) -> Done:
        """Block an actor of the tenant, with the agents that it sponsors.

        The actor and its agents start no conversation with the caller or the caller's agents, and add none of them to a
        space, which is 403 without a reason. The caller leaves the conversations of just the two. More than 1,000: 409.

        `PUT /api/actors/me/blocks/{actor_id}`
        """
        operation = Operation("block.add", "PUT", "/api/actors/me/blocks/{actor_id}", is_idempotent=True)
        return self._transport.call(operation, {"actor_id": actor_id})

    def remove(self, actor_id: str) -> Done:
        """Unblock an actor.

        Not blocked: 404.

        `DELETE /api/actors/me/blocks/{actor_id}`
        """
        operation = Operation("block.remove", "DELETE", "/api/actors/me/blocks/{actor_id}")
        return self._transport.call(operation, {"actor_id": actor_id})


class ClaimOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def take(
        self,
        space_id: str,
        *,
        event_id: Optional[str] = OMITTED,
        decision_id: Optional[str] = OMITTED,
        key: Optional[str] = OMITTED,
        ttl_s: Optional[int] = OMITTED,
        note: Optional[str] = OMITTED,
    ) -> WorkClaim:
        """Claim an event, a decision or a key.

        Of an event, a decision or a key.

        `POST /api/spaces/{space_id}/claims`

        event_id: The event to work on
        decision_id: The decision to work on
        key: The name of anything else
        ttl_s: After how many seconds it lapses unless it is renewed
        """
        operation = Operation("claim.take", "POST", "/api/spaces/{space_id}/claims")
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={"event_id": event_id, "decision_id": decision_id, "key": key, "ttl_s": ttl_s, "note": note},
        )

    def list(self, space_id: str) -> List[WorkClaim]:
        """List the claims of a space, newest first.

        `GET /api/spaces/{space_id}/claims`
        """
        operation = Operation("claim.list", "GET", "/api/spaces/{space_id}/claims", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def renew(
        self,
        space_id: str,
        claim_id: str,
        *,
        fence: Optional[int] = OMITTED,
        ttl_s: Optional[int] = OMITTED,
    ) -> WorkClaim:
        """Renew a claim.

        By the holder.

        `POST /api/spaces/{space_id}/claims/{claim_id}/renew`

        fence: Refused if it is not the present one
        ttl_s: After how many seconds it lapses unless it is renewed
        """
        operation = Operation(
            "claim.renew",
            "POST",
            "/api/spaces/{space_id}/claims/{claim_id}/renew",
            is_idempotent=True,
        )
        return self._transport.call(
            operation,
            {"space_id": space_id, "claim_id": claim_id},
            body={"fence": fence, "ttl_s": ttl_s},
        )

    def release(self, space_id: str, claim_id: str) -> Done:
        """Release a claim.

        By the holder.

        `DELETE /api/spaces/{space_id}/claims/{claim_id}`
        """
        operation = Operation("claim.release", "DELETE", "/api/spaces/{space_id}/claims/{claim_id}")
        return self._transport.call(operation, {"space_id": space_id, "claim_id": claim_id})

    def hand_over(
        self,
        space_id: str,
        claim_id: str,
        *,
        to: str,
        fence: Optional[int] = OMITTED,
        ttl_s: Optional[int] = OMITTED,
    ) -> WorkClaim:
        """Hand a claim over to another actor.

        By the holder. `to` is an actor id.

        `POST /api/spaces/{space_id}/claims/{claim_id}/hand-over`

        fence: Refused if it is not the present one
        to: Actor id
        ttl_s: After how many seconds it lapses unless it is renewed
        """
        operation = Operation("claim.handOver", "POST", "/api/spaces/{space_id}/claims/{claim_id}/hand-over")
        return self._transport.call(
            operation,
            {"space_id": space_id, "claim_id": claim_id},
            body={"fence": fence, "to": to, "ttl_s": ttl_s},
        )

    def take_over(self, space_id: str, claim_id: str, *, ttl_s: Optional[int] = OMITTED) -> WorkClaim:
        """Take over a claim from its holder.

        For owners.

        `POST /api/spaces/{space_id}/claims/{claim_id}/take-over`

        ttl_s: After how many seconds it lapses unless it is renewed
        """
        operation = Operation("claim.takeOver", "POST", "/api/spaces/{space_id}/claims/{claim_id}/take-over")
        return self._transport.call(operation, {"space_id": space_id, "claim_id": claim_id}, body={"ttl_s": ttl_s})

    def progress(self, space_id: str, *, claim_id: str, text: str) -> Done:
        """Report progress on a claim.

        By the holder. The `text` is shown with the claim, the last of each second.

        `PUT /api/spaces/{space_id}/progress`

        claim_id: The claim
        """
        operation = Operation("claim.progress", "PUT", "/api/spaces/{space_id}/progress", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"claim_id": claim_id, "text": text})


class ContextOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        space_id: str,
        *,
        budget: Optional[int] = None,
        focus: Optional[str] = None,
        q: Optional[str] = None,
    ) -> Context:
        """Get a space's state within a budget of tokens.

        `focus` is an event id; `q` as in a search.

        `GET /api/spaces/{space_id}/context`

        budget: How many tokens it may take, as they are estimated
        focus: Event id: this event and those that it answers are part of it
        q: Events that match are part of it: as in a search
        """
        operation = Operation("context.get", "GET", "/api/spaces/{space_id}/context", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"budget": budget, "focus": focus, "q": q})


class ConversationOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(self, *, actor_ids: List[str]) -> SpaceStatus:
        """Start a conversation with other members, or get the existing one.

        With up to 19 other actors of the tenant. Each group has one conversation, a private space. Members who left
        stay out, and are missing from `participants`, until they start it themselves, which also brings back their
        agents. Its members and visibility are fixed (409).

        `POST /api/conversations`

        actor_ids: The participants besides the caller
        """
        operation = Operation("conversation.start", "POST", "/api/conversations", is_idempotent=True)
        return self._transport.call(operation, {}, body={"actor_ids": actor_ids})


class CredentialOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, actor_id: str) -> List[Credential]:
        """List the active credentials of an actor, without secrets, and what ends with each.

        By the actor, its sponsor or admins.

        `GET /api/actors/{actor_id}/credentials`
        """
        operation = Operation("credential.list", "GET", "/api/actors/{actor_id}/credentials", is_idempotent=True)
        return self._transport.call(operation, {"actor_id": actor_id})

    def revoke(self, actor_id: str, credential_id: str) -> Revoked:
        """Revoke a credential of an actor, and what it made.

        By the actor, its sponsor or admins. Repeating it changes nothing. The answer has `ended`, too.

        `DELETE /api/actors/{actor_id}/credentials/{credential_id}`
        """
        operation = Operation("credential.revoke", "DELETE", "/api/actors/{actor_id}/credentials/{credential_id}")
        return self._transport.call(operation, {"actor_id": actor_id, "credential_id": credential_id})


class DecisionOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        space_id: str,
        *,
        status: Optional[Literal["proposed", "resolved", "rejected"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Decision]:
        """List the decisions of a space, oldest first.

        `GET /api/spaces/{space_id}/decisions`

        status: Only decisions of this status
        cursor: The id of the last decision of the page before
        limit: At most so many; without it, all
        """
        operation = Operation("decision.list", "GET", "/api/spaces/{space_id}/decisions", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"status": status, "cursor": cursor, "limit": limit},
        )

    def propose(
        self,
        space_id: str,
        *,
        proposed_by: str,
        text: str,
        assignees: Optional[List[str]] = OMITTED,
        supersedes: Optional[str] = OMITTED,
        review_at: Optional[str] = OMITTED,
        options: Optional[List[DecisionProposeOptions]] = OMITTED,
        action: Optional[DecisionProposeAction] = OMITTED,
        expires_at: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
        idempotency_key: Optional[str] = None,
    ) -> Decision:
        """Propose a decision.

        `proposed_by` is taken as sent. Unknown assignees or predecessors: 404. Not active: 409.

        `POST /api/spaces/{space_id}/decisions`

        proposed_by: Actor id
        text: What is proposed, in Markdown
        assignees: Ids of the actors that are asked to settle it
        supersedes: A decision of the space whose place it takes when it is resolved
        review_at: When it should be looked at again
        options: The answers of which a resolution chooses one
        action: The action that it authorizes once
        expires_at: Until when it can be resolved and used, at most 90 days from now
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation("decision.propose", "POST", "/api/spaces/{space_id}/decisions", is_keyed=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={
                "proposed_by": proposed_by,
                "text": text,
                "assignees": assignees,
                "supersedes": supersedes,
                "review_at": review_at,
                "options": options,
                "action": action,
                "expires_at": expires_at,
                "claim": claim,
            },
            headers={"Idempotency-Key": idempotency_key},
        )

    def list_all(
        self,
        *,
        space_id: Optional[str] = None,
        status: Optional[Literal["proposed", "resolved", "rejected"]] = None,
        filter: Optional[Literal["waiting", "waiting_for_me", "in_force"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Decision]:
        """List the decisions of all spaces the caller has joined, newest first.

        In `space_id`, else all spaces the caller has joined. `filter`: `waiting` (can still be resolved),
        `waiting_for_me` (and assigned to the caller) or `in_force` (resolved, not superseded; an action is neither
        denied nor expired).

        `GET /api/decisions`

        space_id: Only of this space
        status: Only decisions of this status
        filter: Only those that can still be resolved: neither expired nor superseded (`waiting`), and of these the
            ones assigned to the caller (`waiting_for_me`); or those `in_force`: resolved, not superseded, with an
            action neither denied nor expired
        cursor: The id of the last decision of the page before
        """
        operation = Operation("decision.listAll", "GET", "/api/decisions", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            query={"space_id": space_id, "status": status, "filter": filter, "cursor": cursor, "limit": limit},
        )

    def summary(self, space_id: str) -> DecisionCounts:
        """Count proposed, resolved and rejected decisions.

        `GET /api/spaces/{space_id}/decisions/summary`
        """
        operation = Operation("decision.summary", "GET", "/api/spaces/{space_id}/decisions/summary", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def get(self, space_id: str, decision_id: str, *, wait: Optional[int] = None) -> Decision:
        """Get a decision.

        `GET /api/spaces/{space_id}/decisions/{decision_id}`

        wait: How many seconds to wait while there is nothing to answer
        """
        operation = Operation(
            "decision.get",
            "GET",
            "/api/spaces/{space_id}/decisions/{decision_id}",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "decision_id": decision_id}, query={"wait": wait})

    def review(
        self,
        space_id: str,
        decision_id: str,
        *,
        verdict: Literal["approve", "reject"],
        note: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
    ) -> Decision:
        """Approve or reject a proposed decision.

        `verdict` is `approve` or `reject`. Each reviewer's last one counts. Settled: 409.

        `POST /api/spaces/{space_id}/decisions/{decision_id}/reviews`

        verdict: For it, or against it
        note: Why
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        """
        operation = Operation("decision.review", "POST", "/api/spaces/{space_id}/decisions/{decision_id}/reviews")
        return self._transport.call(
            operation,
            {"space_id": space_id, "decision_id": decision_id},
            body={"verdict": verdict, "note": note, "claim": claim},
        )

    def resolve(
        self,
        space_id: str,
        decision_id: str,
        *,
        resolved_by: str,
        resolution: str,
        status: Literal["resolved", "rejected"],
        option: Optional[str] = OMITTED,
        arguments: Optional[Dict[str, Any]] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
    ) -> Decision:
        """Resolve or reject a decision, once.

        `resolved_by` is taken as sent; `status` is `resolved` or `rejected`. In any status of the space.

        `PUT /api/spaces/{space_id}/decisions/{decision_id}/resolve`

        resolved_by: Actor id
        resolution: The outcome, and why
        status: The outcome
        option: The id of the chosen option, which a decision with options needs to be resolved
        arguments: Arguments in place of the proposed ones, if its action is `editable`
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        """
        operation = Operation("decision.resolve", "PUT", "/api/spaces/{space_id}/decisions/{decision_id}/resolve")
        return self._transport.call(
            operation,
            {"space_id": space_id, "decision_id": decision_id},
            body={
                "resolved_by": resolved_by,
                "resolution": resolution,
                "status": status,
                "option": option,
                "arguments": arguments,
                "claim": claim,
            },
        )

    def use(
        self,
        space_id: str,
        decision_id: str,
        *,
        digest: str,
        claim: Optional[HeldClaim] = OMITTED,
        idempotency_key: Optional[str] = None,
    ) -> DecisionUse:
        """Use the action of a resolved decision, once.

        By the proposer, its sponsor, or an actor in its `used_by`. Exactly one use ever succeeds.

        `POST /api/spaces/{space_id}/decisions/{decision_id}/use`

        digest: The digest of the action that is about to be done
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation(
            "decision.use",
            "POST",
            "/api/spaces/{space_id}/decisions/{decision_id}/use",
            is_keyed=True,
        )
        return self._transport.call(
            operation,
            {"space_id": space_id, "decision_id": decision_id},
            body={"digest": digest, "claim": claim},
            headers={"Idempotency-Key": idempotency_key},
        )

    def acts(self, space_id: str, decision_id: str) -> List[DecisionAct]:
        """List the acts about a decision, in order.

        `GET /api/spaces/{space_id}/decisions/{decision_id}/acts`
        """
        operation = Operation(
            "decision.acts",
            "GET",
            "/api/spaces/{space_id}/decisions/{decision_id}/acts",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "decision_id": decision_id})


class DeviceOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def begin(self, *, name: str) -> BegunDevice:
        """Request authorization of a command by a human in a browser.

        Too many pending: 429.

        `POST /api/devices`

        name: How the command calls its machine
        """
        operation = Operation("device.begin", "POST", "/api/devices")
        return self._transport.call(operation, {}, body={"name": name})

    def poll(self, *, device_code: str) -> PolledDevice:
        """Poll for the authorization of a command.

        `POST /api/devices/poll`
        """
        operation = Operation("device.poll", "POST", "/api/devices/poll")
        return self._transport.call(operation, {}, body={"device_code": device_code})

    def get(self, user_code: str) -> Device:
        """Get a command that requests authorization, by its user code.

        `GET /api/devices/{user_code}`
        """
        operation = Operation("device.get", "GET", "/api/devices/{user_code}", is_idempotent=True)
        return self._transport.call(operation, {"user_code": user_code})

    def answer(self, user_code: str, *, allow: bool) -> Done:
        """Authorize a command as the caller, or refuse it.

        `POST /api/devices/{user_code}`
        """
        operation = Operation("device.answer", "POST", "/api/devices/{user_code}")
        return self._transport.call(operation, {"user_code": user_code}, body={"allow": allow})


class EventOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        space_id: str,
        *,
        since: Optional[str] = None,
        before: Optional[str] = None,
        tail: Optional[bool] = None,
        limit: Optional[int] = None,
        wait: Optional[int] = None,
    ) -> List[Event]:
        """Get a page of the history, ascending.

        `wait` cannot be combined with `before` or `tail`.

        `GET /api/spaces/{space_id}/events`

        since: Event id: only events after it
        before: Event id: the page just before it
        tail: The last page
        wait: How many seconds to wait while there is nothing to answer
        """
        operation = Operation("event.list", "GET", "/api/spaces/{space_id}/events", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"since": since, "before": before, "tail": tail, "limit": limit, "wait": wait},
        )

    def append(
        self,
        space_id: str,
        *,
        text: str,
        speaker_id: str,
        speaker_name: str,
        thread_id: Optional[str] = OMITTED,
        metadata: Optional[Dict[str, Any]] = OMITTED,
        file_ids: Optional[List[str]] = OMITTED,
        mentions_from_text: Optional[bool] = OMITTED,
        corrects: Optional[str] = OMITTED,
        retracts: Optional[str] = OMITTED,
        occurred_at: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
        parent_event_id: Optional[str] = OMITTED,
        speaker_type: Optional[str] = OMITTED,
        references: Optional[List[str]] = OMITTED,
        idempotency_key: Optional[str] = None,
    ) -> Event:
        """Write an event from any source.

        `POST /api/spaces/{space_id}/events`

        thread_id: The thread to post in
        file_ids: Files of the space that the caller has uploaded, and no event names yet
        mentions_from_text: Also mention each participant that `@Name` in the text uniquely identifies
        corrects: An own event whose text this one replaces for readers, in its thread
        retracts: An own event that this one retracts, with the reason as `text`. Nothing is erased
        occurred_at: When it happened, of an event of earlier. A claim, which changes no order
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        parent_event_id: The event it replies to
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation("event.append", "POST", "/api/spaces/{space_id}/events", is_keyed=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={
                "text": text,
                "thread_id": thread_id,
                "metadata": metadata,
                "file_ids": file_ids,
                "mentions_from_text": mentions_from_text,
                "corrects": corrects,
                "retracts": retracts,
                "occurred_at": occurred_at,
                "claim": claim,
                "parent_event_id": parent_event_id,
                "speaker_id": speaker_id,
                "speaker_name": speaker_name,
                "speaker_type": speaker_type,
                "references": references,
            },
            headers={"Idempotency-Key": idempotency_key},
        )

    def get(self, space_id: str, event_id: str) -> Event:
        """Get an event.

        `GET /api/spaces/{space_id}/events/{event_id}`
        """
        operation = Operation("event.get", "GET", "/api/spaces/{space_id}/events/{event_id}", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id})

    def revisions(self, space_id: str, event_id: str) -> List[Event]:
        """List the corrections and the retraction of an event, ascending.

        `GET /api/spaces/{space_id}/events/{event_id}/revisions`
        """
        operation = Operation(
            "event.revisions",
            "GET",
            "/api/spaces/{space_id}/events/{event_id}/revisions",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id})

    def transcript(self, space_id: str, *, start: Optional[str] = None, end: Optional[str] = None) -> List[Event]:
        """Get all events of a time range.

        `GET /api/spaces/{space_id}/transcript`
        """
        operation = Operation("event.transcript", "GET", "/api/spaces/{space_id}/transcript", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"start": start, "end": end})

    def mentions(
        self,
        space_id: str,
        participant_id: str,
        *,
        since: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Event]:
        """List events that mention a participant, ascending.

        `GET /api/spaces/{space_id}/mentions/{participant_id}`

        since: Event id: only events after it
        """
        operation = Operation(
            "event.mentions",
            "GET",
            "/api/spaces/{space_id}/mentions/{participant_id}",
            is_idempotent=True,
        )
        return self._transport.call(
            operation,
            {"space_id": space_id, "participant_id": participant_id},
            query={"since": since, "limit": limit},
        )

    def find_mentions(self, space_id: str, *, text: str) -> Mentions:
        """Resolve `@Name` in a text to mentions.

        `POST /api/spaces/{space_id}/mentions`
        """
        operation = Operation("event.findMentions", "POST", "/api/spaces/{space_id}/mentions", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"text": text})

    def speech(
        self,
        space_id: str,
        *,
        text: str,
        thread_id: Optional[str] = OMITTED,
        metadata: Optional[Dict[str, Any]] = OMITTED,
        file_ids: Optional[List[str]] = OMITTED,
        mentions_from_text: Optional[bool] = OMITTED,
        corrects: Optional[str] = OMITTED,
        retracts: Optional[str] = OMITTED,
        occurred_at: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
        decision_id: Optional[str] = OMITTED,
        parent_event_id: Optional[str] = OMITTED,
        speaker_id: Optional[str] = OMITTED,
        speaker_name: Optional[str] = OMITTED,
        idempotency_key: Optional[str] = None,
    ) -> Event:
        """Speak as a human.

        By default the speaker is the caller.

        `POST /api/spaces/{space_id}/speech`

        thread_id: The thread to post in
        file_ids: Files of the space that the caller has uploaded, and no event names yet
        mentions_from_text: Also mention each participant that `@Name` in the text uniquely identifies
        corrects: An own event whose text this one replaces for readers, in its thread
        retracts: An own event that this one retracts, with the reason as `text`. Nothing is erased
        occurred_at: When it happened, of an event of earlier. A claim, which changes no order
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        decision_id: A decision, to post in its thread, which the event starts if there is none
        parent_event_id: The event it replies to
        speaker_id: Default: the caller's id
        speaker_name: Default: the caller's name
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation("event.speech", "POST", "/api/spaces/{space_id}/speech", is_keyed=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={
                "text": text,
                "thread_id": thread_id,
                "metadata": metadata,
                "file_ids": file_ids,
                "mentions_from_text": mentions_from_text,
                "corrects": corrects,
                "retracts": retracts,
                "occurred_at": occurred_at,
                "claim": claim,
                "decision_id": decision_id,
                "parent_event_id": parent_event_id,
                "speaker_id": speaker_id,
                "speaker_name": speaker_name,
            },
            headers={"Idempotency-Key": idempotency_key},
        )

    def response(
        self,
        space_id: str,
        *,
        text: str,
        thread_id: Optional[str] = OMITTED,
        metadata: Optional[Dict[str, Any]] = OMITTED,
        file_ids: Optional[List[str]] = OMITTED,
        mentions_from_text: Optional[bool] = OMITTED,
        corrects: Optional[str] = OMITTED,
        retracts: Optional[str] = OMITTED,
        occurred_at: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
        decision_id: Optional[str] = OMITTED,
        parent_event_id: Optional[str] = OMITTED,
        idempotency_key: Optional[str] = None,
    ) -> Event:
        """Speak as an agent.

        `POST /api/spaces/{space_id}/response`

        thread_id: The thread to post in
        file_ids: Files of the space that the caller has uploaded, and no event names yet
        mentions_from_text: Also mention each participant that `@Name` in the text uniquely identifies
        corrects: An own event whose text this one replaces for readers, in its thread
        retracts: An own event that this one retracts, with the reason as `text`. Nothing is erased
        occurred_at: When it happened, of an event of earlier. A claim, which changes no order
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        decision_id: A decision, to post in its thread, which the event starts if there is none
        parent_event_id: The event it replies to
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation("event.response", "POST", "/api/spaces/{space_id}/response", is_keyed=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={
                "text": text,
                "thread_id": thread_id,
                "metadata": metadata,
                "file_ids": file_ids,
                "mentions_from_text": mentions_from_text,
                "corrects": corrects,
                "retracts": retracts,
                "occurred_at": occurred_at,
                "claim": claim,
                "decision_id": decision_id,
                "parent_event_id": parent_event_id,
            },
            headers={"Idempotency-Key": idempotency_key},
        )

    def append_batch(self, space_id: str, *, events: List[EventAppendBatchEvents]) -> List[Event]:
        """Write many events, all or nothing.

        Each of the `events` has the fields of a single one.

        `POST /api/spaces/{space_id}/events/batch`
        """
        operation = Operation("event.appendBatch", "POST", "/api/spaces/{space_id}/events/batch", keyed_list="events")
        return self._transport.call(operation, {"space_id": space_id}, body={"events": events})

    def check_batch(self, *, events: List[EventAppendBatchEvents]) -> Done:
        """Check the fields and speakers of a batch.

        Takes `events` as a batch does, without a space. Writes nothing: the error is that of the batch.

        `POST /api/events/check`
        """
        operation = Operation("event.checkBatch", "POST", "/api/events/check", is_idempotent=True, keyed_list="events")
        return self._transport.call(operation, {}, body={"events": events})

    def stream_ticket(self, space_id: str) -> StreamTicket:
        """Create a ticket for the live stream.

        `POST /api/spaces/{space_id}/events/stream/tickets`
        """
        operation = Operation(
            "event.streamTicket",
            "POST",
            "/api/spaces/{space_id}/events/stream/tickets",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id})


class FileOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        space_id: str,
        *,
        name: str,
        content: bytes,
        content_digest: Optional[str] = None,
        repr_digest: Optional[str] = None,
        digest: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        content_type: Optional[str] = None,
    ) -> File:
        """Upload a file for an event.

        The body is the bytes, of the type in `Content-Type`.

        `POST /api/spaces/{space_id}/files`

        name: The name, without / and \\
        content_digest: Its SHA-256 (RFC 9530), which is checked: `sha-256=:<base64>:`
        repr_digest: The same
        digest: The same in the older form (RFC 3230): `SHA-256=<base64>`
        idempotency_key: Makes the request safe to repeat: one with the same key is answered as the first was, for
            ever. 1 to 255 printable ASCII characters
        """
        operation = Operation("file.upload", "POST", "/api/spaces/{space_id}/files", is_keyed=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"name": name},
            content=content,
            headers={
                "Content-Digest": content_digest,
                "Repr-Digest": repr_digest,
                "Digest": digest,
                "Idempotency-Key": idempotency_key,
                "Content-Type": content_type,
            },
        )

    def list(self, space_id: str, *, before: Optional[str] = None, limit: Optional[int] = None) -> List[File]:
        """List the files of a space, newest first.

        `GET /api/spaces/{space_id}/files`

        before: File id: the page just before it
        """
        operation = Operation("file.list", "GET", "/api/spaces/{space_id}/files", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"before": before, "limit": limit})

    def get(self, space_id: str, file_id: str) -> File:
        """Get a file without its bytes.

        `GET /api/spaces/{space_id}/files/{file_id}`
        """
        operation = Operation("file.get", "GET", "/api/spaces/{space_id}/files/{file_id}", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id, "file_id": file_id})

    def delete(self, space_id: str, file_id: str) -> Done:
        """Delete the bytes of a file.

        By its uploader or an owner. Its row and what events say of it stay; a second time is no error.

        `DELETE /api/spaces/{space_id}/files/{file_id}`
        """
        operation = Operation("file.delete", "DELETE", "/api/spaces/{space_id}/files/{file_id}")
        return self._transport.call(operation, {"space_id": space_id, "file_id": file_id})

    def content(
        self,
        space_id: str,
        file_id: str,
        *,
        range: Optional[str] = None,
        if_range: Optional[str] = None,
        if_none_match: Optional[str] = None,
    ) -> bytes:
        """Download the bytes of a file.

        Takes `Range`, `If-Range` and `If-None-Match`.

        `GET /api/spaces/{space_id}/files/{file_id}/content`

        range: A part of the bytes, such as `bytes=1000-`: 206, or 416 beyond the end
        if_range: The `ETag` of the part that the caller has: otherwise the whole is sent
        if_none_match: The `ETag` that the caller has: 304 if it is still that one
        """
        operation = Operation(
            "file.content",
            "GET",
            "/api/spaces/{space_id}/files/{file_id}/content",
            is_idempotent=True,
        )
        return self._transport.content(
            operation,
            {"space_id": space_id, "file_id": file_id},
            headers={"Range": range, "If-Range": if_range, "If-None-Match": if_none_match},
        )

    def ticket(self, space_id: str, file_id: str) -> FileTicket:
        """Create a ticket for the bytes of a file.

        Opens them as `?token=` for a minute, such as for an `<img>`.

        `POST /api/spaces/{space_id}/files/{file_id}/tickets`
        """
        operation = Operation(
            "file.ticket",
            "POST",
            "/api/spaces/{space_id}/files/{file_id}/tickets",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "file_id": file_id})


class IdentityOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def bind(self, *, code: str, state: str, verifier: str, iss: Optional[str] = OMITTED) -> Done:
        """Bind an identity of the provider to the caller's account.

        As finishing a sign-in. Bound to another account: 409.

        `POST /api/identities`

        code: From the provider, as are the next two
        verifier: What the caller has kept since it began
        """
        operation = Operation("identity.bind", "POST", "/api/identities")
        return self._transport.call(
            operation,
            {},
            body={"code": code, "state": state, "iss": iss, "verifier": verifier},
        )

    def begin_email(self, *, email: str, challenge: str) -> Done:
        """Send a link that binds an e-mail address to the caller's account.

        Limits as for other unverified addresses.

        `POST /api/identities/email`

        challenge: The SHA-256, in base64url, of what the caller keeps until it redeems what it gets
        """
        operation = Operation("identity.beginEmail", "POST", "/api/identities/email")
        return self._transport.call(operation, {}, body={"email": email, "challenge": challenge})

    def bind_email(self, *, code: str, verifier: str) -> Done:
        """Bind the e-mail address of a link to the account that requested it.

        `code` is that of the link. Bound to an account already: 409. 401 if the credential that requested it has ended.

        `POST /api/identities/email/finish`

        code: From the link
        verifier: What the caller has kept since it began
        """
        operation = Operation("identity.bindEmail", "POST", "/api/identities/email/finish")
        return self._transport.call(operation, {}, body={"code": code, "verifier": verifier})


class InboxOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        wait: Optional[int] = None,
        limit: Optional[int] = None,
        space_id: Optional[str] = None,
        peek: Optional[bool] = None,
        snoozed: Optional[bool] = None,
        installation_id: Optional[str] = None,
    ) -> Inbox:
        """Get the caller's inbox.

        Reading marks nothing as done, and with `peek` or `snoozed` nothing as seen.

        `GET /api/actors/me/inbox`

        wait: How many seconds to wait while there is nothing to answer
        space_id: Only items of this space
        peek: For a program that only counts: nothing becomes seen
        snoozed: What a human has snoozed, instead of the rest; not with `wait`. Nothing becomes seen
        installation_id: The installation that a connected agent runs in
        """
        operation = Operation("inbox.get", "GET", "/api/actors/me/inbox", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            query={"wait": wait, "limit": limit, "space_id": space_id, "peek": peek, "snoozed": snoozed},
            headers={"X-Installation-Id": installation_id},
        )

    def snooze(
        self,
        *,
        items: Optional[List[Place]] = OMITTED,
        decisions: Optional[List[InboxSnoozeDecisions]] = OMITTED,
        notices: Optional[List[str]] = OMITTED,
        until: Optional[str] = OMITTED,
    ) -> Done:
        """Hide items, decisions or notices of the inbox for a while.

        `items`, `decisions` that wait for the caller, and `notices`. They come back at the time `until`, and before
        when something new comes: to an item a later one of its space, to a decision a review, to a notice the next one
        of its kind and subject. If one is unknown, nothing is hidden: 404. A human hides a notice only with a
        credential that may dismiss it: otherwise 403. Beyond 100 snoozed decisions, or notices of one kind: 409.

        `POST /api/actors/me/inbox/snooze`

        items: Events of the inbox
        decisions: Decisions of the inbox
        notices: Notice ids
        until: When they come back; a time that has passed brings them back now
        """
        operation = Operation("inbox.snooze", "POST", "/api/actors/me/inbox/snooze", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            body={"items": items, "decisions": decisions, "notices": notices, "until": until},
        )

    def done(
        self,
        *,
        through: Optional[List[Place]] = OMITTED,
        notices: Optional[List[str]] = OMITTED,
        outcome: Optional[Literal["declined"]] = OMITTED,
        reason: Optional[str] = OMITTED,
        claim: Optional[HeldClaim] = OMITTED,
        installation_id: Optional[str] = None,
    ) -> Done:
        """Mark items of the inbox as done.

        `through` is `[{space_id, event_id}]`, all up to there unless snoozed; `notices` are ids; `outcome` is
        `declined`, with a `reason`. The caller's claims on these events end, and the `claim` sent if its event is done.
        If an event is unknown, nothing is marked: 404. Repeats change nothing. A human dismisses a notice of no space
        only with a credential that has the scope `account` and opens every space: otherwise 403, and nothing is marked.

        `POST /api/actors/me/inbox/done`

        through: In each of these spaces, everything up to this event
        notices: Notice ids
        outcome: The outcome of what this marks as done, which the askers see
        reason: Why it is declined
        claim: The claim that it is done with: 409 once it is no longer yours, and nothing is done
        installation_id: The installation that a connected agent runs in
        """
        operation = Operation("inbox.done", "POST", "/api/actors/me/inbox/done", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            body={"through": through, "notices": notices, "outcome": outcome, "reason": reason, "claim": claim},
            headers={"X-Installation-Id": installation_id},
        )


class IncomingWebhookOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        space_id: str,
        *,
        name: str,
        format: Literal["json", "slack", "standard", "github"],
        template: Optional[str] = OMITTED,
        people: Optional[Dict[str, str]] = OMITTED,
    ) -> IncomingWebhookWithSecret:
        """Create an incoming webhook with an agent to post as; its secret is shown only once.

        For owners, with `write` too; humans only. The agent has the `name`, the caller as its sponsor, and a key that
        may only `write` in this space. `template` is for `standard`, `people` for `github` and `slack`. At most 50 of a
        space: 409.

        `POST /api/spaces/{space_id}/incoming-webhooks`

        name: The name of the agent that it posts as
        template: The text of a message of `standard`, with values of the request as `{{data.name}}`
        people: Logins of `github`, or user ids of `slack`, with the actors to mention for them
        """
        operation = Operation("incomingWebhook.create", "POST", "/api/spaces/{space_id}/incoming-webhooks")
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={"name": name, "format": format, "template": template, "people": people},
        )

    def list(self, space_id: str) -> List[IncomingWebhook]:
        """List the incoming webhooks of a space, oldest first.

        `GET /api/spaces/{space_id}/incoming-webhooks`
        """
        operation = Operation(
            "incomingWebhook.list",
            "GET",
            "/api/spaces/{space_id}/incoming-webhooks",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id})

    def get(self, space_id: str, incoming_webhook_id: str) -> IncomingWebhookDetails:
        """Get an incoming webhook with its last deliveries.

        `GET /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}`
        """
        operation = Operation(
            "incomingWebhook.get",
            "GET",
            "/api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "incoming_webhook_id": incoming_webhook_id})

    def change(
        self,
        space_id: str,
        incoming_webhook_id: str,
        *,
        template: Optional[str] = OMITTED,
        people: Optional[Dict[str, str]] = OMITTED,
        disabled: Optional[bool] = OMITTED,
    ) -> IncomingWebhook:
        """Change the template or the people of an incoming webhook, and whether it is enabled.

        For owners. A null `template` removes it; `people` replaces all.

        `PATCH /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}`

        template: null removes it
        people: Logins of `github`, or user ids of `slack`, with the actors to mention for them
        disabled: `true` to refuse all that is sent to it
        """
        operation = Operation(
            "incomingWebhook.change",
            "PATCH",
            "/api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}",
        )
        return self._transport.call(
            operation,
            {"space_id": space_id, "incoming_webhook_id": incoming_webhook_id},
            body={"template": template, "people": people, "disabled": disabled},
        )

    def delete(self, space_id: str, incoming_webhook_id: str) -> Done:
        """Delete an incoming webhook.

        For owners. Its agent stays, and can post nothing more; its sponsor can delete it.

        `DELETE /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}`
        """
        operation = Operation(
            "incomingWebhook.delete",
            "DELETE",
            "/api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}",
        )
        return self._transport.call(operation, {"space_id": space_id, "incoming_webhook_id": incoming_webhook_id})

    def rotate_secret(self, space_id: str, incoming_webhook_id: str) -> IncomingWebhookWithSecret:
        """Replace the secret of an incoming webhook; it is shown only once.

        For the human who made it, as an owner, with `write` too. The old secret ends at once.

        `POST /api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}/rotate-secret`
        """
        operation = Operation(
            "incomingWebhook.rotateSecret",
            "POST",
            "/api/spaces/{space_id}/incoming-webhooks/{incoming_webhook_id}/rotate-secret",
        )
        return self._transport.call(operation, {"space_id": space_id, "incoming_webhook_id": incoming_webhook_id})


class InviteOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        default_space_id: Optional[str] = OMITTED,
        access: Optional[Literal["all", "named"]] = OMITTED,
        expires_at: Optional[str] = OMITTED,
        send: Optional[bool] = OMITTED,
        email: Optional[str] = OMITTED,
    ) -> CreatedInvite:
        """Create an invite to the tenant; the code is shown only once.

        Only the account with that `email`, in any case of letters, can redeem it. A private `default_space_id` is for
        its owners only, a conversation never; `access` is `all` by default, `named` for a guest; `expires_at` is by
        default in 7 days, at most 90. `url` redeems the code in the page. With `send`, the server also sends it by
        e-mail, to at most 20 addresses a day; `sent` is false if its mail server did not accept it.

        `POST /api/invites`

        access: With `named`, the redeemer becomes a guest, who sees only the spaces it is added to. `all` by
            default
        expires_at: Default: in 7 days
        send: Send the link by e-mail
        email: Only an account with this address, in any case of letters, can redeem it
        """
        operation = Operation("invite.create", "POST", "/api/invites")
        return self._transport.call(
            operation,
            {},
            body={
                "default_space_id": default_space_id,
                "access": access,
                "expires_at": expires_at,
                "send": send,
                "email": email,
            },
        )

    def list(self) -> List[Invite]:
        """List the invites of the tenant, oldest first.

        `GET /api/invites`
        """
        operation = Operation("invite.list", "GET", "/api/invites", is_idempotent=True)
        return self._transport.call(operation, {})

    def create_batch(
        self,
        *,
        emails: List[str],
        default_space_id: Optional[str] = OMITTED,
        access: Optional[Literal["all", "named"]] = OMITTED,
        expires_at: Optional[str] = OMITTED,
        send: Optional[bool] = OMITTED,
    ) -> List[CreatedInvite]:
        """Create an invite for each of up to 100 e-mail addresses, all or none.

        With the options of a single one.

        `POST /api/invites/batch`

        access: With `named`, the redeemer becomes a guest, who sees only the spaces it is added to. `all` by
            default
        expires_at: Default: in 7 days
        send: Send the link by e-mail
        emails: Only an account with the address, in any case of letters, can redeem its invite
        """
        operation = Operation("invite.createBatch", "POST", "/api/invites/batch")
        return self._transport.call(
            operation,
            {},
            body={
                "default_space_id": default_space_id,
                "access": access,
                "expires_at": expires_at,
                "send": send,
                "emails": emails,
            },
        )

    def revoke(self, invite_id: str) -> Done:
        """Revoke an invite.

        `DELETE /api/invites/{invite_id}`
        """
        operation = Operation("invite.revoke", "DELETE", "/api/invites/{invite_id}", is_idempotent=True)
        return self._transport.call(operation, {"invite_id": invite_id})

    def redeem(self, *, code: str) -> Actor:
        """Redeem an invite: move into its tenant, with the agents the caller sponsors.

        Moves the caller into the tenant, sets `default_space_id` and joins it; if it is private and the maker no owner
        of it now, `default_space_id` is null. Its agents arrive stopped, until an admin, who gets a notice, starts
        them. Used, expired, revoked, unknown, or another's `email`: 404. The last admin of a tenant with other members:
        409.

        `POST /api/invites/redeem`
        """
        operation = Operation("invite.redeem", "POST", "/api/invites/redeem")
        return self._transport.call(operation, {}, body={"code": code})


class LinkOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        space_id: str,
        *,
        link_type: Optional[str] = None,
        direction: Optional[Literal["out", "in", "both"]] = None,
    ) -> List[Link]:
        """List the links of a space, oldest first.

        `direction` is `out` by default, `in` (links of other spaces to this one) or `both`.

        `GET /api/spaces/{space_id}/links`

        direction: Its own links (out, the default), those of other spaces that lead to it, or both
        """
        operation = Operation("link.list", "GET", "/api/spaces/{space_id}/links", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"link_type": link_type, "direction": direction},
        )

    def create(
        self,
        space_id: str,
        *,
        target_id: Optional[str] = OMITTED,
        target_uri: Optional[str] = OMITTED,
        link_type: Optional[str] = OMITTED,
        attributes: Optional[Dict[str, Any]] = OMITTED,
    ) -> Link:
        """Link a space to another space or a URL.

        Either `target_id`, another space of the tenant, or `target_uri`, an absolute URL; `link_type` is by default
        `related`, `attributes` `{}`. Both, neither or the space itself: 400. The same target and type again: 409.

        `POST /api/spaces/{space_id}/links`

        target_id: Another space; otherwise send target_uri
        link_type: Default: related
        """
        operation = Operation("link.create", "POST", "/api/spaces/{space_id}/links")
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={"target_id": target_id, "target_uri": target_uri, "link_type": link_type, "attributes": attributes},
        )

    def delete(self, space_id: str, link_id: str) -> Done:
        """Remove a link.

        `DELETE /api/spaces/{space_id}/links/{link_id}`
        """
        operation = Operation("link.delete", "DELETE", "/api/spaces/{space_id}/links/{link_id}")
        return self._transport.call(operation, {"space_id": space_id, "link_id": link_id})


class LogOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def checkpoint(self, space_id: str, *, tree: Optional[Literal["events", "decisions"]] = None) -> Checkpoint:
        """Get the newest checkpoint of a space.

        `GET /api/spaces/{space_id}/log/checkpoint`

        tree: The history: of events, which is the default, or of what was done about decisions and the space itself
        """
        operation = Operation("log.checkpoint", "GET", "/api/spaces/{space_id}/log/checkpoint", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"tree": tree})

    def proof(self, space_id: str, *, event_id: Optional[str] = None, decision_id: Optional[str] = None) -> LogReceipt:
        """Get the receipt of an event or a decision.

        Of an event or a decision.

        `GET /api/spaces/{space_id}/log/proof`
        """
        operation = Operation("log.proof", "GET", "/api/spaces/{space_id}/log/proof", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"event_id": event_id, "decision_id": decision_id},
        )

    def consistency(
        self,
        space_id: str,
        *,
        tree: Optional[Literal["events", "decisions"]] = None,
        from_: Optional[int] = None,
        to: Optional[int] = None,
    ) -> ConsistencyProof:
        """Get the proof that a checkpoint extends an earlier one.

        `from` and `to` are sizes; `to` is by default the newest.

        `GET /api/spaces/{space_id}/log/consistency`

        tree: The history: of events, which is the default, or of what was done about decisions and the space itself
        from_: The size of the earlier checkpoint
        to: The size of the later one; by default the newest
        """
        operation = Operation("log.consistency", "GET", "/api/spaces/{space_id}/log/consistency", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"tree": tree, "from": from_, "to": to})

    def export(
        self,
        space_id: str,
        *,
        tree: Optional[Literal["events", "decisions"]] = None,
        after: Optional[int] = None,
    ) -> Iterator[str]:
        """Export the history of a space with its proofs.

        `after` is a position.

        `GET /api/spaces/{space_id}/log/export`

        tree: The history: of events, which is the default, or of what was done about decisions and the space itself
        after: Only the entries after this position
        """
        operation = Operation("log.export", "GET", "/api/spaces/{space_id}/log/export", is_idempotent=True)
        return self._transport.lines(operation, {"space_id": space_id}, {"tree": tree, "after": after})


class NotificationOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> Notifications:
        """Get the caller's notification settings.

        `GET /api/actors/me/notifications`
        """
        operation = Operation("notification.get", "GET", "/api/actors/me/notifications", is_idempotent=True)
        return self._transport.call(operation, {})

    def set(
        self,
        *,
        email: Optional[str] = OMITTED,
        delay_minutes: Optional[int] = OMITTED,
        push_delay_minutes: Optional[int] = OMITTED,
        quiet_hours: Optional[QuietHours] = OMITTED,
        time_zone: Optional[str] = OMITTED,
        notices: Optional[Literal["all", "mentions", "none"]] = OMITTED,
        shows_presence: Optional[bool] = OMITTED,
    ) -> Notifications:
        """Change the caller's notification settings.

        A null `email` means none. What is left out stays.

        `PUT /api/actors/me/notifications`

        email: Where to send a digest; null for nowhere
        delay_minutes: How many minutes an item stays unseen before it is sent by e-mail; and between two messages
        push_delay_minutes: The same for browsers. They get nothing while a view of the page is visible
        quiet_hours: When nothing is sent, every day, in the time zone; null for never
        time_zone: A name of the IANA database, such as `Europe/Berlin`
        notices: What is told of a space for which the caller has set nothing else: what mentions or answers them or
            is in a conversation (`mentions`), threads that they take part in, too (`all`), or nothing (`none`)
        shows_presence: Whether participants of the spaces and conversations of the caller see that a view of the
            page of theirs is visible
        """
        operation = Operation("notification.set", "PUT", "/api/actors/me/notifications")
        return self._transport.call(
            operation,
            {},
            body={
                "email": email,
                "delay_minutes": delay_minutes,
                "push_delay_minutes": push_delay_minutes,
                "quiet_hours": quiet_hours,
                "time_zone": time_zone,
                "notices": notices,
                "shows_presence": shows_presence,
            },
        )

    def subscribe(self, *, endpoint: str, keys: NotificationSubscribeKeys, name: str) -> NotificationChannel:
        """Send notifications to a browser.

        `endpoint` and `keys` (`p256dh`, `auth`) are those of a browser's push subscription. The same endpoint again
        replaces `keys` and `name`.

        `POST /api/actors/me/notifications/channels`

        endpoint: Where the push service of the browser takes messages
        keys: What messages are encrypted with (RFC 8291)
        name: By which people tell this browser from their others
        """
        operation = Operation(
            "notification.subscribe",
            "POST",
            "/api/actors/me/notifications/channels",
            is_idempotent=True,
        )
        return self._transport.call(operation, {}, body={"endpoint": endpoint, "keys": keys, "name": name})

    def report_presence(self, *, view: str, visible: bool) -> Done:
        """Report whether a view of the page is visible.

        For two minutes, or until the same `view` is reported as hidden, the caller is present: its browsers get no
        notifications, and participants of its spaces see `is_present`, unless `shows_presence` is off.

        `PUT /api/actors/me/presence`

        view: A random name that the view has chosen
        visible: Whether its tab is visible
        """
        operation = Operation("notification.reportPresence", "PUT", "/api/actors/me/presence", is_idempotent=True)
        return self._transport.call(operation, {}, body={"view": view, "visible": visible})

    def remove_channel(self, channel_id: str) -> Done:
        """Remove a notification channel.

        `DELETE /api/actors/me/notifications/channels/{channel_id}`
        """
        operation = Operation(
            "notification.removeChannel",
            "DELETE",
            "/api/actors/me/notifications/channels/{channel_id}",
        )
        return self._transport.call(operation, {"channel_id": channel_id})


class ParticipantOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, space_id: str) -> List[Participant]:
        """List the participants of a space, in the order of joining.

        `GET /api/spaces/{space_id}/participants`
        """
        operation = Operation("participant.list", "GET", "/api/spaces/{space_id}/participants", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def add(self, space_id: str, *, actor_id: str, role: Optional[Literal["member", "owner"]] = OMITTED) -> Participant:
        """Add an actor to a space, or set its role.

        For owners. An actor of the tenant; `role` is `member`, or of humans `owner`; without it, an owner stays one.

        `POST /api/spaces/{space_id}/participants`

        actor_id: A human or agent of the tenant
        role: Only humans can be owners. Without it, an owner stays one, and others are members
        """
        operation = Operation("participant.add", "POST", "/api/spaces/{space_id}/participants")
        return self._transport.call(operation, {"space_id": space_id}, body={"actor_id": actor_id, "role": role})

    def join(self, space_id: str, *, agent_adapter: Optional[str] = OMITTED) -> Participant:
        """Join a space.

        `agent_adapter` names how an agent is connected, such as `mcp`. Joining again replaces only that. Archived: 409.

        `POST /api/spaces/{space_id}/join`
        """
        operation = Operation("participant.join", "POST", "/api/spaces/{space_id}/join", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"agent_adapter": agent_adapter})

    def leave(self, space_id: str) -> Done:
        """Leave a space.

        In any status, any number of times.

        `POST /api/spaces/{space_id}/leave`
        """
        operation = Operation("participant.leave", "POST", "/api/spaces/{space_id}/leave", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def remove(self, space_id: str, actor_id: str) -> Done:
        """Remove an actor from a space, with the agents it sponsors there.

        For owners, the actor itself, and its sponsor. Not in it: 404.

        `DELETE /api/spaces/{space_id}/participants/{actor_id}`
        """
        operation = Operation("participant.remove", "DELETE", "/api/spaces/{space_id}/participants/{actor_id}")
        return self._transport.call(operation, {"space_id": space_id, "actor_id": actor_id})


class PasskeyOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def begin(self) -> PasskeyOptions:
        """Start to add a passkey.

        `POST /api/passkeys/begin`
        """
        operation = Operation("passkey.begin", "POST", "/api/passkeys/begin")
        return self._transport.call(operation, {})

    def add(self, *, name: str, response: Dict[str, Any]) -> AddedPasskey:
        """Add a passkey for sign-in.

        At most 20: 409.

        `POST /api/passkeys`

        response: What `navigator.credentials` returned, in JSON
        """
        operation = Operation("passkey.add", "POST", "/api/passkeys")
        return self._transport.call(operation, {}, body={"name": name, "response": response})


class PictureOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, actor_ids: str) -> List[Picture]:
        """List which of some actors have a picture.

        `actor_ids` are up to 100, separated by commas. Those without a picture, or a card, are left out.

        `GET /api/pictures`

        actor_ids: Up to 100, separated by commas
        """
        operation = Operation("picture.list", "GET", "/api/pictures", is_idempotent=True)
        return self._transport.call(operation, {}, query={"actor_ids": actor_ids})

    def content(self, actor_id: str, *, sha256: Optional[str] = None, if_none_match: Optional[str] = None) -> bytes:
        """Get the picture of an actor.

        For callers that may see its card. With `sha256`, clients may keep it for a week; without, it has an `ETag` for
        `If-None-Match`.

        `GET /api/actors/{actor_id}/picture`

        sha256: The picture of this SHA-256, which clients may keep; 404 once the actor has another one
        if_none_match: The `ETag` that the caller has: 304 if it is still that one
        """
        operation = Operation("picture.content", "GET", "/api/actors/{actor_id}/picture", is_idempotent=True)
        return self._transport.content(
            operation,
            {"actor_id": actor_id},
            query={"sha256": sha256},
            headers={"If-None-Match": if_none_match},
        )

    def set(self, actor_id: str, *, content: str) -> Actor:
        """Set the picture of the caller, or of an agent it sponsors.

        A PNG, JPEG or WebP image by its bytes, of up to 64 KiB and 1,024 × 1,024 pixels. What does not show is left
        out, such as where a photo was taken. Counts towards the quota of `file_bytes`.

        `PUT /api/actors/{actor_id}/picture`

        content: A PNG, JPEG or WebP image in base64
        """
        operation = Operation("picture.set", "PUT", "/api/actors/{actor_id}/picture")
        return self._transport.call(operation, {"actor_id": actor_id}, body={"content": content})

    def remove(self, actor_id: str) -> Actor:
        """Remove the picture of the caller, or of an agent it sponsors.

        `DELETE /api/actors/{actor_id}/picture`
        """
        operation = Operation("picture.remove", "DELETE", "/api/actors/{actor_id}/picture")
        return self._transport.call(operation, {"actor_id": actor_id})


class PolicyOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, space_id: str) -> Policy:
        """Get the policy of a space.

        `GET /api/spaces/{space_id}/policy`
        """
        operation = Operation("policy.get", "GET", "/api/spaces/{space_id}/policy", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def set(
        self,
        space_id: str,
        *,
        settle: Optional[PolicySetSettle] = OMITTED,
        loop_guard: Optional[PolicySetLoopGuard] = OMITTED,
    ) -> Policy:
        """Set the policy of a space.

        For owners. What is left out stays. A `named` actor outside the tenant: 404.

        `PUT /api/spaces/{space_id}/policy`
        """
        operation = Operation("policy.set", "PUT", "/api/spaces/{space_id}/policy")
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={"settle": settle, "loop_guard": loop_guard},
        )


class PreferenceOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def change(
        self,
        space_id: str,
        *,
        pinned: Optional[bool] = OMITTED,
        notices: Optional[Literal["all", "mentions", "none"]] = OMITTED,
    ) -> Preferences:
        """Pin or mute a space for the caller alone.

        At first, `pinned` is `false` and `notices` as in the notifications. What is left out stays.

        `PUT /api/spaces/{space_id}/preferences`
        """
        operation = Operation("preference.change", "PUT", "/api/spaces/{space_id}/preferences", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"pinned": pinned, "notices": notices})


class ReactionOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, space_id: str, event_id: str) -> List[Reaction]:
        """List the reactions to an event, with all their actors.

        `GET /api/spaces/{space_id}/events/{event_id}/reactions`
        """
        operation = Operation(
            "reaction.list",
            "GET",
            "/api/spaces/{space_id}/events/{event_id}/reactions",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id})

    def add(self, space_id: str, event_id: str, emoji: str) -> Done:
        """React to an event.

        No event of the log, and told only to open streams. Clears the event from the caller's inbox. Beyond 20
        different emoji or 1,000 reactions of the event, or of a redacted event: 409.

        `PUT /api/spaces/{space_id}/events/{event_id}/reactions/{emoji}`
        """
        operation = Operation(
            "reaction.add",
            "PUT",
            "/api/spaces/{space_id}/events/{event_id}/reactions/{emoji}",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id, "emoji": emoji})

    def remove(self, space_id: str, event_id: str, emoji: str) -> Done:
        """Take a reaction back.

        `DELETE /api/spaces/{space_id}/events/{event_id}/reactions/{emoji}`
        """
        operation = Operation(
            "reaction.remove",
            "DELETE",
            "/api/spaces/{space_id}/events/{event_id}/reactions/{emoji}",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id, "emoji": emoji})


class ReceiptOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, space_id: str, event_id: str, *, wait: Optional[int] = None) -> List[Receipt]:
        """Get the receipts of an event.

        Those of humans are for its poster alone.

        `GET /api/spaces/{space_id}/events/{event_id}/receipts`

        wait: How many seconds to wait while there is nothing to answer
        """
        operation = Operation(
            "receipt.list",
            "GET",
            "/api/spaces/{space_id}/events/{event_id}/receipts",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id}, query={"wait": wait})

    def of_events(self, space_id: str, *, event_ids: str) -> List[EventReceipts]:
        """Get the receipts of several events of a space.

        `event_ids` are up to 50, separated by commas.

        `GET /api/spaces/{space_id}/receipts`

        event_ids: Up to 50, separated by commas. Those that are not there are left out
        """
        operation = Operation("receipt.ofEvents", "GET", "/api/spaces/{space_id}/receipts", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, query={"event_ids": event_ids})


class SearchOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def events(
        self,
        *,
        q: str,
        space_id: Optional[str] = None,
        linked_to: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["newest", "relevance"]] = None,
    ) -> List[Match]:
        """Search events.

        In `space_id`, or `linked_to` (that space and those linked to it, either way), else all spaces the caller has
        joined; `sort` is `newest` by default, or `relevance`. `q` may have operators: `from:` a name or id, `in:` a
        space, `before:` and `after:` a date, `has:file`, `is:thread`.

        `GET /api/search`

        q: Words, "a phrase", -not, or; `from:ada`, `before:2026-11-28`
        space_id: Only this space
        linked_to: This space and those linked to it, in either direction
        sort: Default: newest
        """
        operation = Operation("search.events", "GET", "/api/search", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            query={"q": q, "space_id": space_id, "linked_to": linked_to, "limit": limit, "sort": sort},
        )

    def decisions(
        self,
        *,
        q: str,
        space_id: Optional[str] = None,
        linked_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[DecisionMatch]:
        """Search decisions by parts of words.

        In the same spaces as events, with the same operators; `from:` is the proposer.

        `GET /api/search/decisions`

        q: Words, "a phrase", -not, or; `from:ada`, `before:2026-11-28`
        space_id: Only this space
        linked_to: This space and those linked to it, in either direction
        """
        operation = Operation("search.decisions", "GET", "/api/search/decisions", is_idempotent=True)
        return self._transport.call(
            operation,
            {},
            query={"q": q, "space_id": space_id, "linked_to": linked_to, "limit": limit},
        )


class SeenOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def mark(self, space_id: str, *, event_id: Optional[str] = OMITTED) -> Seen:
        """Move the caller's read cursor in a space.

        `event_id` is the last event seen, by default the newest. Needs only `read`.

        `PUT /api/spaces/{space_id}/seen`

        event_id: The last event that was seen; by default the newest of the space
        """
        operation = Operation("seen.mark", "PUT", "/api/spaces/{space_id}/seen", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"event_id": event_id})

    def unmark(self, space_id: str, *, event_id: Optional[str] = OMITTED) -> Seen:
        """Move the caller's read cursor in a space back.

        `event_id` and all later events are unread again, by default the newest of another actor. Done items stay done,
        and no notification tells of them again. Needs only `read`.

        `PUT /api/spaces/{space_id}/unseen`

        event_id: The first event to be unread; by default the newest of another actor
        """
        operation = Operation("seen.unmark", "PUT", "/api/spaces/{space_id}/unseen", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id}, body={"event_id": event_id})


class SignInOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def ways(self) -> WaysToSignIn:
        """Get the sign-in methods that this installation offers.

        `GET /api/sign-in`
        """
        operation = Operation("signIn.ways", "GET", "/api/sign-in", is_idempotent=True)
        return self._transport.call(operation, {})

    def begin_oidc(self, *, challenge: str) -> BegunOidc:
        """Start a sign-in with the identity provider.

        `POST /api/sign-in/oidc`

        challenge: The SHA-256, in base64url, of what the caller keeps until it redeems what it gets
        """
        operation = Operation("signIn.beginOidc", "POST", "/api/sign-in/oidc")
        return self._transport.call(operation, {}, body={"challenge": challenge})

    def finish_oidc(
        self,
        *,
        code: str,
        state: str,
        verifier: str,
        iss: Optional[str] = OMITTED,
        name: Optional[str] = OMITTED,
    ) -> SignedIn:
        """Finish a sign-in with the identity provider.

        `code`, `state` and `iss` come with the callback; `name` is the name of the session.

        `POST /api/sign-in/oidc/finish`

        code: From the provider, as are the next two
        verifier: What the caller has kept since it began
        name: By which people tell the session from others
        """
        operation = Operation("signIn.finishOidc", "POST", "/api/sign-in/oidc/finish")
        return self._transport.call(
            operation,
            {},
            body={"code": code, "state": state, "iss": iss, "verifier": verifier, "name": name},
        )

    def begin_passkey(self) -> PasskeyOptions:
        """Start a sign-in with a passkey.

        `POST /api/sign-in/passkey`
        """
        operation = Operation("signIn.beginPasskey", "POST", "/api/sign-in/passkey")
        return self._transport.call(operation, {})

    def finish_passkey(self, *, response: Dict[str, Any], name: Optional[str] = OMITTED) -> SignedIn:
        """Finish a sign-in with a passkey.

        `response` is the result of `navigator.credentials.get`.

        `POST /api/sign-in/passkey/finish`

        response: What `navigator.credentials` returned, in JSON
        name: By which people tell the session from others
        """
        operation = Operation("signIn.finishPasskey", "POST", "/api/sign-in/passkey/finish")
        return self._transport.call(operation, {}, body={"response": response, "name": name})

    def begin_email(self, *, email: str, challenge: str) -> Done:
        """Send a sign-in link by e-mail.

        Sends a link for ten minutes and one session, if an account has bound the address; the answer does not tell. At
        most 5 an hour for a mailbox, and 30 from an address: 429.

        `POST /api/sign-in/email`

        challenge: The SHA-256, in base64url, of what the caller keeps until it redeems what it gets
        """
        operation = Operation("signIn.beginEmail", "POST", "/api/sign-in/email")
        return self._transport.call(operation, {}, body={"email": email, "challenge": challenge})

    def finish_email(self, *, code: str, verifier: str, name: Optional[str] = OMITTED) -> SignedIn:
        """Sign in with a link sent by e-mail.

        `code` is that of the link.

        `POST /api/sign-in/email/finish`

        code: From the link
        verifier: What the caller has kept since it began
        name: By which people tell the session from others
        """
        operation = Operation("signIn.finishEmail", "POST", "/api/sign-in/email/finish")
        return self._transport.call(operation, {}, body={"code": code, "verifier": verifier, "name": name})

    def code(self, *, challenge: str, name: str) -> SessionCode:
        """Create a code that authorizes a command on the same machine.

        `challenge` and `name` are those of the command.

        `POST /api/sign-in/codes`

        challenge: The SHA-256, in base64url, of what the caller keeps until it redeems what it gets
        """
        operation = Operation("signIn.code", "POST", "/api/sign-in/codes")
        return self._transport.call(operation, {}, body={"challenge": challenge, "name": name})

    def redeem(self, *, code: str, verifier: str) -> SignedIn:
        """Redeem the code of a session.

        `POST /api/sign-in/redeem`

        verifier: What the caller has kept since it began
        """
        operation = Operation("signIn.redeem", "POST", "/api/sign-in/redeem")
        return self._transport.call(operation, {}, body={"code": code, "verifier": verifier})

    def out(self, *, everywhere: Optional[bool] = OMITTED) -> SignedOut:
        """End the session of the request, or all sessions of the caller.

        Ends this session, or all of the caller.

        `POST /api/sign-out`

        everywhere: End all sessions of the caller, not only this one
        """
        operation = Operation("signIn.out", "POST", "/api/sign-out", is_idempotent=True)
        return self._transport.call(operation, {}, body={"everywhere": everywhere})


class SpaceOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: Optional[Literal["active", "paused", "archived"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Space]:
        """List the spaces of the tenant, newest first.

        `GET /api/spaces`

        status: Only spaces of this status
        cursor: The id of the last space of the page before
        limit: At most so many; without it, all
        """
        operation = Operation("space.list", "GET", "/api/spaces", is_idempotent=True)
        return self._transport.call(operation, {}, query={"status": status, "cursor": cursor, "limit": limit})

    def create(
        self,
        *,
        space_id: str,
        description: Optional[str] = OMITTED,
        title: Optional[str] = OMITTED,
        links: Optional[List[str]] = OMITTED,
        visibility: Optional[Literal["open", "private"]] = OMITTED,
    ) -> CreatedSpace:
        """Create a space.

        `links` are absolute URLs; `visibility` is by default `open`. Taken: 409. The caller joins only a private space.

        `POST /api/spaces`

        title: What people call it, in one line; empty for its id
        visibility: A `private` space is there for its participants only, and for the sponsors of its agents, who
            read it
        """
        operation = Operation("space.create", "POST", "/api/spaces")
        return self._transport.call(
            operation,
            {},
            body={
                "description": description,
                "space_id": space_id,
                "title": title,
                "links": links,
                "visibility": visibility,
            },
        )

    def status(self, space_id: str) -> SpaceStatus:
        """Get a space with its participants and counts.

        `GET /api/spaces/{space_id}/status`
        """
        operation = Operation("space.status", "GET", "/api/spaces/{space_id}/status", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id})

    def change(
        self,
        space_id: str,
        *,
        description: Optional[str] = OMITTED,
        title: Optional[str] = OMITTED,
        links: Optional[List[str]] = OMITTED,
        visibility: Optional[Literal["open", "private"]] = OMITTED,
        status: Optional[Literal["active", "paused", "archived"]] = OMITTED,
        owners: Optional[List[str]] = OMITTED,
    ) -> SpaceStatus:
        """Change the title, description, links, visibility, status or owners.

        For owners. An empty `title` removes it; `links` and `owners` each replace all. Archived: 409 `Space is
        archived`.

        `PATCH /api/spaces/{space_id}`

        title: What people call it, in one line; empty for its id
        visibility: A `private` space is there for its participants only, and for the sponsors of its agents, who
            read it
        owners: Ids of humans of the tenant, in place of the owners before
        """
        operation = Operation("space.change", "PATCH", "/api/spaces/{space_id}")
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={
                "description": description,
                "title": title,
                "links": links,
                "visibility": visibility,
                "status": status,
                "owners": owners,
            },
        )

    def archive(self, space_id: str) -> SpaceStatus:
        """Archive a space; its history stays readable.

        For owners. An archived space stays as it is.

        `POST /api/spaces/{space_id}/archive`
        """
        operation = Operation("space.archive", "POST", "/api/spaces/{space_id}/archive")
        return self._transport.call(operation, {"space_id": space_id})

    def unarchive(self, space_id: str) -> SpaceStatus:
        """Reactivate an archived space.

        For owners, within 30 days of `ended_at`, a conversation at any time; otherwise 409.

        `POST /api/spaces/{space_id}/unarchive`
        """
        operation = Operation("space.unarchive", "POST", "/api/spaces/{space_id}/unarchive")
        return self._transport.call(operation, {"space_id": space_id})

    def acts(
        self,
        space_id: str,
        *,
        about: Optional[Literal["space", "decisions"]] = None,
        since: Optional[int] = None,
        before: Optional[int] = None,
        start: Optional[str] = None,
        tail: Optional[bool] = None,
        limit: Optional[int] = None,
    ) -> List[SpaceAct]:
        """List the acts about a space, in order.

        `about` is `space` or `decisions`, by default both. `since` and `before` are positions, `start` a time.

        `GET /api/spaces/{space_id}/acts`

        about: Only acts about the space itself, which are those about its policy, its owners and who is in it, or
            about decisions
        since: Position: only acts after it
        before: Position: the page just before it
        start: Only acts of this time or later
        tail: The last page
        limit: Default: all, and 50 with before or tail
        """
        operation = Operation("space.acts", "GET", "/api/spaces/{space_id}/acts", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"about": about, "since": since, "before": before, "start": start, "tail": tail, "limit": limit},
        )


class SummaryOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        space_id: str,
        *,
        start: Optional[str] = None,
        end: Optional[str] = None,
        regenerate: Optional[bool] = None,
        language: Optional[Literal["en", "de", "ar"]] = None,
    ) -> Summary:
        """Get a summary of a time window, in Markdown.

        `start` is by default the space's start, or `end` if that is before it; `end` one hour ago, or `start` if that
        is after it.

        `GET /api/spaces/{space_id}/summary`

        start: Default: the start of the space
        end: Default: one hour ago
        regenerate: Write a new one even if nothing has changed
        language: The language of its headings. For `de` and `ar`, a language model also writes in it
        """
        operation = Operation("summary.get", "GET", "/api/spaces/{space_id}/summary", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"start": start, "end": end, "regenerate": regenerate, "language": language},
        )


class TenantOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, *, name: str, bring_spaces: Optional[bool] = OMITTED) -> CreatedTenant:
        """Create a tenant and move into it as its admin, with the agents the caller sponsors.

        Moves the caller there from any tenant, as its admin. The last admin of a tenant with other members: 409.

        `POST /api/tenants`

        bring_spaces: Whether to move the spaces that only the caller and its agents are in, with all that is in
            them
        """
        operation = Operation("tenant.create", "POST", "/api/tenants")
        return self._transport.call(operation, {}, body={"name": name, "bring_spaces": bring_spaces})

    def plan_move(self) -> SpaceMove:
        """Preview the space move of creating a tenant with `bring_spaces`.

        `GET /api/actors/me/space-move`
        """
        operation = Operation("tenant.planMove", "GET", "/api/actors/me/space-move", is_idempotent=True)
        return self._transport.call(operation, {})

    def get(self, tenant_id: str) -> Tenant:
        """Get the tenant of the caller.

        `GET /api/tenants/{tenant_id}`
        """
        operation = Operation("tenant.get", "GET", "/api/tenants/{tenant_id}", is_idempotent=True)
        return self._transport.call(operation, {"tenant_id": tenant_id})

    def members(self, tenant_id: str) -> List[Member]:
        """List the humans and agents of the tenant, oldest first.

        `GET /api/tenants/{tenant_id}/members`
        """
        operation = Operation("tenant.members", "GET", "/api/tenants/{tenant_id}/members", is_idempotent=True)
        return self._transport.call(operation, {"tenant_id": tenant_id})

    def private_spaces(self, tenant_id: str) -> List[PrivateSpace]:
        """List the private spaces of the tenant, newest first.

        `GET /api/tenants/{tenant_id}/private-spaces`
        """
        operation = Operation(
            "tenant.privateSpaces",
            "GET",
            "/api/tenants/{tenant_id}/private-spaces",
            is_idempotent=True,
        )
        return self._transport.call(operation, {"tenant_id": tenant_id})

    def promote(self, tenant_id: str, actor_id: str, *, is_admin: bool) -> Member:
        """Make a human of the tenant an admin, or an ordinary member again.

        Agents: 400. The last admin: 409.

        `PATCH /api/tenants/{tenant_id}/members/{actor_id}`

        is_admin: Whether the human is to be an admin
        """
        operation = Operation("tenant.promote", "PATCH", "/api/tenants/{tenant_id}/members/{actor_id}")
        return self._transport.call(
            operation,
            {"tenant_id": tenant_id, "actor_id": actor_id},
            body={"is_admin": is_admin},
        )

    def remove_member(self, tenant_id: str, actor_id: str) -> Done:
        """Remove a human from the tenant, with the agents it sponsors.

        Moves a human to the shared tenant. Not in it: 404. Agents: 400.

        `DELETE /api/tenants/{tenant_id}/members/{actor_id}`
        """
        operation = Operation("tenant.removeMember", "DELETE", "/api/tenants/{tenant_id}/members/{actor_id}")
        return self._transport.call(operation, {"tenant_id": tenant_id, "actor_id": actor_id})

    def set_access(
        self,
        tenant_id: str,
        actor_id: str,
        *,
        access: Literal["all", "named"],
        may_sponsor_agents: Optional[bool] = OMITTED,
    ) -> Member:
        """Make a human of the tenant a guest, with its agents, or let it see all open spaces again.

        `access` is `named` for a guest, else `all`; `may_sponsor_agents` is for guests, by default `false`. An admin:
        409. Agents: 400.

        `PUT /api/tenants/{tenant_id}/members/{actor_id}/access`

        may_sponsor_agents: Whether a guest may sponsor agents
        """
        operation = Operation("tenant.setAccess", "PUT", "/api/tenants/{tenant_id}/members/{actor_id}/access")
        return self._transport.call(
            operation,
            {"tenant_id": tenant_id, "actor_id": actor_id},
            body={"access": access, "may_sponsor_agents": may_sponsor_agents},
        )

    def leave(self, tenant_id: str) -> Done:
        """Leave the tenant, with the agents the caller sponsors.

        Moves the caller to the shared tenant. The last admin of a tenant with other members: 409.

        `POST /api/tenants/{tenant_id}/leave`
        """
        operation = Operation("tenant.leave", "POST", "/api/tenants/{tenant_id}/leave")
        return self._transport.call(operation, {"tenant_id": tenant_id})


class TenantPolicyOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, tenant_id: str) -> TenantPolicy:
        """Get the policy of the tenant of the caller.

        `GET /api/tenants/{tenant_id}/policy`
        """
        operation = Operation("tenantPolicy.get", "GET", "/api/tenants/{tenant_id}/policy", is_idempotent=True)
        return self._transport.call(operation, {"tenant_id": tenant_id})

    def set(
        self,
        tenant_id: str,
        *,
        attribution: Optional[Literal["free", "no_members", "none"]] = OMITTED,
        agent_scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]] = OMITTED,
        webhook_hosts: Optional[List[str]] = OMITTED,
    ) -> TenantPolicy:
        """Set the policy of the tenant.

        What is left out stays.

        `PUT /api/tenants/{tenant_id}/policy`

        attribution: The allowed attributions: `free`, any speaker; `no_members`, none of another member; `none`,
            only themselves
        agent_scopes: What new agents are allowed by default, and the most that members who are no admins may give
            them; null for no such rule
        webhook_hosts: The hosts that webhooks and push messages may go to, such as `hooks.example.org` or
            `*.example.org`, which is all names below that; null for any
        """
        operation = Operation("tenantPolicy.set", "PUT", "/api/tenants/{tenant_id}/policy")
        return self._transport.call(
            operation,
            {"tenant_id": tenant_id},
            body={"attribution": attribution, "agent_scopes": agent_scopes, "webhook_hosts": webhook_hosts},
        )


class ThreadOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(
        self,
        space_id: str,
        *,
        subject: str,
        parent_event_id: Optional[str] = OMITTED,
        decision_id: Optional[str] = OMITTED,
    ) -> Thread:
        """Start a thread on an event or a decision, or get the existing one.

        On `parent_event_id`, or `decision_id`. One for each: again returns it. Not active: 409.

        `POST /api/spaces/{space_id}/threads`

        parent_event_id: The event that the thread starts on
        decision_id: In its place, a decision
        """
        operation = Operation("thread.start", "POST", "/api/spaces/{space_id}/threads", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            body={"parent_event_id": parent_event_id, "decision_id": decision_id, "subject": subject},
        )

    def list(
        self,
        space_id: str,
        *,
        limit: Optional[int] = None,
        before: Optional[str] = None,
        event_id: Optional[str] = None,
    ) -> List[ActiveThread]:
        """List the threads of a space, newest activity first.

        `before` is a thread id, for those after it in this order. With `event_id`, only the thread with this id, or
        about this event or decision, if there is one.

        `GET /api/spaces/{space_id}/threads`

        before: Thread id: those with activity before it
        event_id: Only the thread with this id, or about this event or decision
        """
        operation = Operation("thread.list", "GET", "/api/spaces/{space_id}/threads", is_idempotent=True)
        return self._transport.call(
            operation,
            {"space_id": space_id},
            query={"limit": limit, "before": before, "event_id": event_id},
        )

    def get(self, space_id: str, event_id: str) -> ThreadWithEvents:
        """Get a thread with its events, ascending.

        By its id, or its parent event's or decision's.

        `GET /api/spaces/{space_id}/threads/{event_id}`
        """
        operation = Operation("thread.get", "GET", "/api/spaces/{space_id}/threads/{event_id}", is_idempotent=True)
        return self._transport.call(operation, {"space_id": space_id, "event_id": event_id})


class TokenOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        scopes: Optional[List[Literal["read", "write", "react", "settle", "manage", "account"]]] = OMITTED,
        space_ids: Optional[List[str]] = OMITTED,
        expires_at: Optional[str] = OMITTED,
    ) -> CreatedPersonalAccessToken:
        """Create a token; it is shown only once.

        More than 100 valid ones, unless the operator says otherwise: 403.

        `POST /api/personal-access-tokens`

        scopes: What the credential allows. Default: all that the credential of the request allows
        space_ids: The only spaces it gives access to
        expires_at: When it expires
        """
        operation = Operation("token.create", "POST", "/api/personal-access-tokens")
        return self._transport.call(
            operation,
            {},
            body={"name": name, "scopes": scopes, "space_ids": space_ids, "expires_at": expires_at},
        )

    def list(self, *, include_revoked: Optional[bool] = None) -> List[PersonalAccessToken]:
        """List the caller's tokens, newest first.

        `GET /api/personal-access-tokens`
        """
        operation = Operation("token.list", "GET", "/api/personal-access-tokens", is_idempotent=True)
        return self._transport.call(operation, {}, query={"include_revoked": include_revoked})

    def revoke(self, pat_id: str) -> Revoked:
        """Revoke a token, and what it made.

        Revokes it and what it made. Repeating it changes nothing. Another human's: 404. The answer has `ended`, too.

        `DELETE /api/personal-access-tokens/{pat_id}`
        """
        operation = Operation("token.revoke", "DELETE", "/api/personal-access-tokens/{pat_id}", is_idempotent=True)
        return self._transport.call(operation, {"pat_id": pat_id})


class WebhookOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        url: str,
        space_id: Optional[str] = OMITTED,
        inbox_of: Optional[str] = OMITTED,
        types: Optional[List[Literal["events.appended", "decision.changed", "attention.raised"]]] = OMITTED,
        payload: Optional[Literal["thin", "full"]] = OMITTED,
        from_: Optional[str] = OMITTED,
    ) -> WebhookWithSecret:
        """Create a webhook; its secret is shown only once.

        `url` has up to 2,048 characters. Of a `space_id`, or `inbox_of` the caller or an agent it sponsors (agents:
        only their own inbox). `types` are by default all that apply; `payload` is `thin` (ids, the default) or `full`;
        `from` is `now` by default, `beginning`, or an event id, to start after. At most 20 of an actor, 200 of a tenant
        and of a space: 409. Nothing is sent until the receiver confirms.

        `POST /api/webhooks`

        url: Where requests are sent, over https
        space_id: The space that it is for
        inbox_of: The actor whose inbox it is for, instead of a space: the caller, or an agent it sponsors
        types: Default: every type that applies
        payload: `thin` (the default): ids only; `full`: the full content
        from_: `now`, `beginning`, or the id of the event to start after. Default: `now`
        """
        operation = Operation("webhook.create", "POST", "/api/webhooks")
        return self._transport.call(
            operation,
            {},
            body={
                "url": url,
                "space_id": space_id,
                "inbox_of": inbox_of,
                "types": types,
                "payload": payload,
                "from": from_,
            },
        )

    def list(self, *, tenant: Optional[bool] = None) -> List[Webhook]:
        """List the caller's webhooks and those of its agents, or all of the tenant, oldest first.

        `GET /api/webhooks`

        tenant: All of the tenant, for its admins
        """
        operation = Operation("webhook.list", "GET", "/api/webhooks", is_idempotent=True)
        return self._transport.call(operation, {}, query={"tenant": tenant})

    def get(self, webhook_id: str) -> WebhookDetails:
        """Get a webhook with its last attempts.

        `GET /api/webhooks/{webhook_id}`
        """
        operation = Operation("webhook.get", "GET", "/api/webhooks/{webhook_id}", is_idempotent=True)
        return self._transport.call(operation, {"webhook_id": webhook_id})

    def change(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = OMITTED,
        types: Optional[List[Literal["events.appended", "decision.changed", "attention.raised"]]] = OMITTED,
        payload: Optional[Literal["thin", "full"]] = OMITTED,
        disabled: Optional[bool] = OMITTED,
    ) -> Webhook:
        """Change the URL of a webhook, what it sends, and whether it is enabled.

        The same `url` again is tried at once. Added `types` start now. A webhook that is enabled again resumes.

        `PATCH /api/webhooks/{webhook_id}`

        disabled: `true` to send nothing. Once enabled again, it resumes where it stopped
        """
        operation = Operation("webhook.change", "PATCH", "/api/webhooks/{webhook_id}")
        return self._transport.call(
            operation,
            {"webhook_id": webhook_id},
            body={"url": url, "types": types, "payload": payload, "disabled": disabled},
        )

    def delete(self, webhook_id: str) -> Done:
        """Delete a webhook.

        `DELETE /api/webhooks/{webhook_id}`
        """
        operation = Operation("webhook.delete", "DELETE", "/api/webhooks/{webhook_id}")
        return self._transport.call(operation, {"webhook_id": webhook_id})

    def rotate_secret(self, webhook_id: str) -> WebhookWithSecret:
        """Replace the secret of a webhook; it is shown only once.

        For 24 hours, both sign.

        `POST /api/webhooks/{webhook_id}/rotate-secret`
        """
        operation = Operation("webhook.rotateSecret", "POST", "/api/webhooks/{webhook_id}/rotate-secret")
        return self._transport.call(operation, {"webhook_id": webhook_id})

    def test(self, webhook_id: str) -> WebhookAttempt:
        """Send a test request now.

        Sends a `webhook.test` now, even if disabled; while `verified_at` is null, a `webhook.challenge`.

        `POST /api/webhooks/{webhook_id}/test`
        """
        operation = Operation("webhook.test", "POST", "/api/webhooks/{webhook_id}/test")
        return self._transport.call(operation, {"webhook_id": webhook_id})

    def replay(self, webhook_id: str, *, since: str) -> Webhook:
        """Move the cursor of a webhook.

        Resends from `since`, with values like `from`; `now` skips pending events.

        `POST /api/webhooks/{webhook_id}/replay`

        since: `now`, `beginning`, or the id of the event to start after
        """
        operation = Operation("webhook.replay", "POST", "/api/webhooks/{webhook_id}/replay")
        return self._transport.call(operation, {"webhook_id": webhook_id}, body={"since": since})


class Operations:
    """All operations, by noun."""

    def __init__(self, transport: Transport) -> None:
        self.activity = ActivityOperations(transport)
        self.actor = ActorOperations(transport)
        self.agent_code = AgentCodeOperations(transport)
        self.audit = AuditOperations(transport)
        self.block = BlockOperations(transport)
        self.claim = ClaimOperations(transport)
        self.context = ContextOperations(transport)
        self.conversation = ConversationOperations(transport)
        self.credential = CredentialOperations(transport)
        self.decision = DecisionOperations(transport)
        self.device = DeviceOperations(transport)
        self.event = EventOperations(transport)
        self.file = FileOperations(transport)
        self.identity = IdentityOperations(transport)
        self.inbox = InboxOperations(transport)
        self.incoming_webhook = IncomingWebhookOperations(transport)
        self.invite = InviteOperations(transport)
        self.link = LinkOperations(transport)
        self.log = LogOperations(transport)
        self.notification = NotificationOperations(transport)
        self.participant = ParticipantOperations(transport)
        self.passkey = PasskeyOperations(transport)
        self.picture = PictureOperations(transport)
        self.policy = PolicyOperations(transport)
        self.preference = PreferenceOperations(transport)
        self.reaction = ReactionOperations(transport)
        self.receipt = ReceiptOperations(transport)
        self.search = SearchOperations(transport)
        self.seen = SeenOperations(transport)
        self.sign_in = SignInOperations(transport)
        self.space = SpaceOperations(transport)
        self.summary = SummaryOperations(transport)
        self.tenant = TenantOperations(transport)
        self.tenant_policy = TenantPolicyOperations(transport)
        self.thread = ThreadOperations(transport)
        self.token = TokenOperations(transport)
        self.webhook = WebhookOperations(transport)

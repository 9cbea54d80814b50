/** Whether a space is a conversation: nobody has named it, so it is called after those whom it is between. */
export const isConversation = (spaceId: string): boolean => /^conversation-[0-9a-f]{32}$/.test(spaceId)

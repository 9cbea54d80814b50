/** Where the server stops counting: `LIMITS.unread` of the client, which loads later than the texts. */
export const MAX_UNREAD = 100

export const unreadCount = (count: number): string => (count < MAX_UNREAD ? `${count}` : `${MAX_UNREAD}+`)

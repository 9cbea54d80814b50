import type { Client, File } from '@collab-spaces/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { refresh, useChange, useRead } from './call'

const fileKey = (spaceId: string, fileId: string) => ['file', spaceId, fileId] as const
export const fileListKey = (spaceId: string) => ['files', spaceId] as const

/** A file is immutable, except for its deletion, which shows within this time. */
const FILE_INTERVAL_MS = 5 * 60_000

/** Returns a file, which may have been deleted since its event named it. */
export const useFile = (spaceId: string, fileId: string) =>
  useRead(
    fileKey(spaceId, fileId),
    (client, how) => client.file.get.query({ space_id: spaceId, file_id: fileId }, how),
    {
      staleTime: FILE_INTERVAL_MS,
    },
  )

/** How long a ticket is used, of the minute that it lasts. */
export const TICKET_MS = 45_000

/** Returns a ticket, which opens a file for an `<img>`. Its address must not have a lasting credential. */
export const useFileTicket = (spaceId: string, fileId: string) =>
  useRead(
    [...fileKey(spaceId, fileId), 'ticket'],
    async (client) => (await client.file.ticket.mutate({ space_id: spaceId, file_id: fileId })).ticket,
    // Another ticket is another address, which would load the image again.
    { staleTime: TICKET_MS, gcTime: TICKET_MS, refetchOnWindowFocus: false, refetchOnReconnect: false },
  )

/** Returns the address of a file's bytes. */
export const contentPath = (spaceId: string, fileId: string, ticket: string): string =>
  `/api/spaces/${encodeURIComponent(spaceId)}/files/${encodeURIComponent(fileId)}/content?${new URLSearchParams({ token: ticket })}`

/** Makes the browser download a file. Throws if it is gone. */
export function useDownload(spaceId: string) {
  return useChange(
    async (client, { file_id, name }: Pick<File, 'file_id' | 'name'>) => {
      const of = { space_id: spaceId, file_id }
      const [, { ticket }] = await Promise.all([requireContent(client, of), client.file.ticket.mutate(of)])
      const link = document.createElement('a')
      link.href = contentPath(spaceId, file_id, ticket)
      link.download = name
      link.click()
    },
    () => undefined,
  )
}

/** Fails for a deleted file: the browser would only say that a download failed. */
async function requireContent(client: Client, of: { readonly space_id: string; readonly file_id: string }) {
  const { deleted_at } = await client.file.get.query(of)
  if (deleted_at !== null) await client.rest('file.content', of)
}

const FILES_AT_ONCE = 30

/** Returns the files of a space in pages, newest first. */
export function useFiles(spaceId: string) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: fileListKey(spaceId),
    queryFn: ({ pageParam: before, signal }) =>
      client.file.list.query({ space_id: spaceId, limit: FILES_AT_ONCE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === FILES_AT_ONCE ? page.at(-1)?.file_id : undefined),
    // A file that was added meanwhile moves the pages.
    select: ({ pages }) => [...new Map(pages.flat().map((file) => [file.file_id, file])).values()],
  })
}

export const useDeleteFile = ({ space_id, file_id }: Pick<File, 'space_id' | 'file_id'>) =>
  useChange(
    (client) => client.file.delete.mutate({ space_id, file_id }),
    refresh(fileListKey(space_id), fileKey(space_id, file_id)),
  )

/** The bytes of a text file that are shown. */
export const MAX_TEXT_BYTES = 256 * 1024

/** The beginning of a text file. */
export interface FileText {
  /** Null for a file that is not text. */
  readonly text: string | null
  /** Whether the file is longer. */
  readonly isCut: boolean
}

/** Returns the beginning of a file as text. */
export const useFileText = ({ spaceId, fileId, size }: { spaceId: string; fileId: string; size: number }) =>
  useRead(
    [...fileKey(spaceId, fileId), 'text'],
    async (client, { signal }): Promise<FileText> => {
      if (size === 0) return { text: '', isCut: false }
      const bytes = await client.rest(
        'file.content',
        { space_id: spaceId, file_id: fileId, range: `bytes=0-${MAX_TEXT_BYTES - 1}` },
        { read: (response) => response.arrayBuffer(), signal },
      )
      const isCut = size > MAX_TEXT_BYTES
      // With `stream`, a character that is cut in two is left out.
      const text = new TextDecoder().decode(bytes, { stream: isCut })
      return { text: text.includes('\0') ? null : text, isCut }
    },
    { staleTime: Number.POSITIVE_INFINITY },
  )

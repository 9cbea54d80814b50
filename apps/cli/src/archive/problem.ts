import { failed } from '../failure.js'

/** An archive that cannot be read to its end. */
export const broken = (path: string, error: unknown) =>
  failed(`Cannot read ${path}: ${(error as Error).message}`, 'The file was cut or changed: get the export again')

/** An export of another service, or of none. */
export const wrongService = (path: string, service: string, missing: string) =>
  failed(`${path} is no export of ${service}: it has no ${missing}`)

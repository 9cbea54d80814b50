import type { RequestHandler } from 'express'
import type { Metrics } from '../metrics.js'

/** Counts requests once they are over, by what they turned out to be. */
export const countRequests =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    response.once('close', () => {
      const { operation, begunAt } = request
      if (operation !== null) metrics.count(operation, response.statusCode, performance.now() - begunAt)
    })
    next()
  }

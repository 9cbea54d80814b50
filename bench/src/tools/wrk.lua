-- Sends requests that a file holds, in random order, and prints one line of JSON at the end.
local requests = {}

function init(arguments)
  local file = assert(io.open(arguments[1], 'rb'))
  for text in file:read('*a'):gmatch('[^\30]+') do
    requests[#requests + 1] = text
  end
  file:close()
  math.randomseed(os.time())
end

function request()
  return requests[math.random(#requests)]
end

-- Returns the measured latencies in ascending order, and the number of requests with each. For each request that took at
-- least twice the mean, wrk adds shorter latencies, as if requests came at a fixed rate; pgbench adds none. wrk begins with
-- the shortest latency, so their removal begins with the longest.
local function measured(summary, latency)
  local perConnection = math.floor(summary.requests / tonumber(os.getenv('CONNECTIONS')))
  local mean = perConnection > 0 and math.floor(summary.duration / perConnection) or math.huge
  local values, counts = {}, {}
  for index = 1, #latency do
    local value, count = latency(index)
    values[index], counts[value] = value, count
  end
  for index = #values, 1, -1 do
    local value = values[index]
    if value < 2 * mean then break end
    for added = value - mean, mean + 1, -mean do
      counts[added] = counts[added] - counts[value]
    end
  end
  return values, counts
end

local function percentile(part, requests, values, counts)
  local sum = 0
  for _, value in ipairs(values) do
    sum = sum + counts[value]
    if sum >= part * requests then return value end
  end
  return 0
end

function done(summary, latency)
  local errors = summary.errors
  local values, counts = measured(summary, latency)
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, percentile(0.5, summary.requests, values, counts),
    percentile(0.99, summary.requests, values, counts), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end

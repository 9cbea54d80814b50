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

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end

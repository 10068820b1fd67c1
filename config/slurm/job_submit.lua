-- Each job that asks for IPUs takes as many licences "ipu": they are the pod's,
-- not a node's.  A wrong number is refused here, before the job is queued.

local total = @IPUS@

-- Number of IPUs per node that --gres=ipu:N asks for, or nil.
local function from_gres(text)
	for word in string.gmatch(text or "", "[^,]+") do
		word = string.gsub(word, "^gres[:/]", "")
		local name, rest = string.match(word, "^(%w+)(.*)$")
		if name == "ipu" then
			return tonumber(string.match(rest, "[:=](%d+)$") or 1)
		end
	end
end

-- Number that --ipus=N asks for, or nil.
local function from_option(job)
	for i = 0, 99 do
		local word = job.spank_job_env and job.spank_job_env[i]
		if not word then
			return nil
		end
		local value = string.match(word, "_OPTION_ipubox_ipus=(%d+)")
		if value then
			return tonumber(value)
		end
	end
end

-- Refuse, with the reason for the user's terminal.
local function refuse(text)
	slurm.log_user(text)
	return slurm.ERROR
end

function slurm_job_submit(job, partitions, uid)
	local ipus = from_option(job)
	local gres = from_gres(job.tres_per_node) or from_gres(job.gres)
	if not ipus and gres then
		local nodes = job.min_nodes
		if nodes == slurm.NO_VAL or nodes < 1 then
			nodes = 1
		end
		ipus = gres * nodes
	end
	if not ipus then
		return slurm.SUCCESS
	end
	if ipus < 1 or ipus > total then
		return refuse(string.format(
		    "%d IPUs: the pod has %d", ipus, total))
	end
	local power = 1
	while power < ipus do
		power = power * 2
	end
	if power ~= ipus then
		return refuse(string.format(
		    "%d IPUs: the number must be a power of two", ipus))
	end
	local own = "ipu:" .. ipus
	if not job.licenses or job.licenses == "" then
		job.licenses = own
	else
		job.licenses = job.licenses .. "," .. own
	end
	return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
	return slurm.SUCCESS
end

return slurm.SUCCESS

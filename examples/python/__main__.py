import pulumi
import pulumi_agentpool_acl as acl

config = pulumi.Config()

# The agents that deploy, on the cluster's own network.
pool = acl.AgentPool("deployments")

deployers = acl.AclRole(
    "deployers",
    name="deployers",
    description=pulumi.Output.concat("What the agents of pool ", pool.id, " may do"),
    policies=["deploy-production"],
)

developers = acl.AclRole(
    "developers",
    name="developers",
    description="What engineers may do",
    policies=["read-only", "deploy-development"],
)

sso = acl.AclAuthMethod(
    "sso",
    name="company-sso",
    type=acl.AclAuthMethodType.OIDC,
    token_locality=acl.AclAuthMethodTokenLocality.GLOBAL_,
    max_token_ttl="8h",
    config=acl.AclAuthMethodConfigArgs(
        oidc_discovery_url=config.require("discoveryUrl"),
        oidc_client_id="cluster",
        oidc_client_secret=config.require_secret("clientSecret"),
        allowed_redirect_uris=["http://localhost:4649/oidc/callback"],
        list_claim_mappings={"groups": "groups"},
    ),
)

acl.AclBindingRule(
    "engineering",
    auth_method=sso.name,
    description="Engineers are developers",
    selector="engineering in list.groups",
    bind_type=acl.AclBindingRuleBindType.ROLE,
    bind_name=developers.name,
)

acl.AclBindingRule(
    "releases",
    auth_method=sso.name,
    description="Release managers are deployers",
    selector='"release-managers" in list.groups',
    bind_type=acl.AclBindingRuleBindType.ROLE,
    bind_name=deployers.name,
)

pulumi.export("poolId", pool.id)
pulumi.export("loginMethod", sso.name)

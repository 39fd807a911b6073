package main

import (
	"example.com/pulumi-agentpool-acl/sdk/go/agentpoolacl"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")

		// The agents that deploy, on the cluster's own network.
		pool, err := agentpoolacl.NewAgentPool(ctx, "deployments", &agentpoolacl.AgentPoolArgs{})
		if err != nil {
			return err
		}

		deployers, err := agentpoolacl.NewAclRole(ctx, "deployers", &agentpoolacl.AclRoleArgs{
			Name:        pulumi.String("deployers"),
			Description: pulumi.Sprintf("What the agents of pool %s may do", pool.ID()),
			Policies:    pulumi.ToStringArray([]string{"deploy-production"}),
		})
		if err != nil {
			return err
		}

		developers, err := agentpoolacl.NewAclRole(ctx, "developers", &agentpoolacl.AclRoleArgs{
			Name:        pulumi.String("developers"),
			Description: pulumi.String("What engineers may do"),
			Policies:    pulumi.ToStringArray([]string{"read-only", "deploy-development"}),
		})
		if err != nil {
			return err
		}

		sso, err := agentpoolacl.NewAclAuthMethod(ctx, "sso", &agentpoolacl.AclAuthMethodArgs{
			Name:          pulumi.String("company-sso"),
			Type:          agentpoolacl.AclAuthMethodTypeOIDC,
			TokenLocality: agentpoolacl.AclAuthMethodTokenLocalityGlobal,
			MaxTokenTtl:   pulumi.String("8h"),
			Config: &agentpoolacl.AclAuthMethodConfigArgs{
				OidcDiscoveryUrl:    pulumi.String(settings.Require("discoveryUrl")),
				OidcClientId:        pulumi.String("cluster"),
				OidcClientSecret:    settings.RequireSecret("clientSecret"),
				AllowedRedirectUris: pulumi.ToStringArray([]string{"http://localhost:4649/oidc/callback"}),
				ListClaimMappings:   pulumi.ToStringMap(map[string]string{"groups": "groups"}),
			},
		})
		if err != nil {
			return err
		}

		_, err = agentpoolacl.NewAclBindingRule(ctx, "engineering", &agentpoolacl.AclBindingRuleArgs{
			AuthMethod:  sso.Name,
			Description: pulumi.String("Engineers are developers"),
			Selector:    pulumi.String("engineering in list.groups"),
			BindType:    agentpoolacl.AclBindingRuleBindTypeRole,
			BindName:    developers.Name,
		})
		if err != nil {
			return err
		}

		_, err = agentpoolacl.NewAclBindingRule(ctx, "releases", &agentpoolacl.AclBindingRuleArgs{
			AuthMethod:  sso.Name,
			Description: pulumi.String("Release managers are deployers"),
			Selector:    pulumi.String(`"release-managers" in list.groups`),
			BindType:    agentpoolacl.AclBindingRuleBindTypeRole,
			BindName:    deployers.Name,
		})
		if err != nil {
			return err
		}

		ctx.Export("poolId", pool.ID())
		ctx.Export("loginMethod", sso.Name)
		return nil
	})
}
